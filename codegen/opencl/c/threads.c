/* Threads: those of POSIX, or of Windows. */

#ifdef _WIN32
#include <windows.h>
typedef CRITICAL_SECTION memc_mutex;
typedef HANDLE memc_thread;
typedef DWORD memc_caller;
#define memc_caller_self GetCurrentThreadId
#define memc_caller_same(a, b) ((a) == (b))
#define memc_mutex_up InitializeCriticalSection
#define memc_mutex_down DeleteCriticalSection
#define memc_mutex_take EnterCriticalSection
#define memc_mutex_give LeaveCriticalSection
#define MEMC_THREAD(name, arg) DWORD WINAPI name(LPVOID arg)
#define memc_thread_start(t, run, arg) ((*(t) = CreateThread(NULL, 0, run, arg, 0, NULL)) == NULL)
#define memc_thread_join(t) (WaitForSingleObject(t, INFINITE), CloseHandle(t))
#else
#include <pthread.h>
typedef pthread_mutex_t memc_mutex;
typedef pthread_t memc_thread;
typedef pthread_t memc_caller;
#define memc_caller_self pthread_self
#define memc_caller_same pthread_equal
#define memc_mutex_up(m) pthread_mutex_init(m, NULL)
#define memc_mutex_down(m) pthread_mutex_destroy(m)
#define memc_mutex_take(m) pthread_mutex_lock(m)
#define memc_mutex_give(m) pthread_mutex_unlock(m)
#define MEMC_THREAD(name, arg) void *name(void *arg)
#define memc_thread_start(t, run, arg) pthread_create(t, NULL, run, arg)
#define memc_thread_join(t) pthread_join(t, NULL)
#endif
