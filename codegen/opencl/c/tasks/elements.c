/* Elements of blocks. A block may hold elements of one type now and of another
   later, so they are accessed by types that may alias any other. */
#if defined(__GNUC__) || defined(__clang__)
#define MEMC_ALIAS __attribute__((may_alias))
#else
#define MEMC_ALIAS /* compilers that know no such attribute take any access so */
#endif
typedef int8_t MEMC_ALIAS memc_at_int8_t;
typedef int16_t MEMC_ALIAS memc_at_int16_t;
typedef int32_t MEMC_ALIAS memc_at_int32_t;
typedef int64_t MEMC_ALIAS memc_at_int64_t;
typedef uint8_t MEMC_ALIAS memc_at_uint8_t;
typedef uint16_t MEMC_ALIAS memc_at_uint16_t;
typedef uint32_t MEMC_ALIAS memc_at_uint32_t;
typedef uint64_t MEMC_ALIAS memc_at_uint64_t;
typedef float MEMC_ALIAS memc_at_float;
typedef double MEMC_ALIAS memc_at_double;
#define MEMC_AT(T, block, i) (((memc_at_##T *)(block))[i])

/* Stands before a loop whose turns do not touch what others write. */
#if defined(__clang__)
#define MEMC_POINTS _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define MEMC_POINTS _Pragma("GCC ivdep")
#else
#define MEMC_POINTS
#endif
