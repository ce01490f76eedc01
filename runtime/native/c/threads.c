/* Threads: those of POSIX, or of Windows. A signal is a condition variable. */

#ifdef _WIN32
#include <windows.h>
typedef CRITICAL_SECTION memc_mutex;
typedef HANDLE memc_thread;
typedef CONDITION_VARIABLE memc_signal;
typedef DWORD memc_caller;
#define memc_caller_self GetCurrentThreadId
#define memc_caller_same(a, b) ((a) == (b))
#define memc_process() 0
#define memc_mutex_up InitializeCriticalSection
#define memc_mutex_down DeleteCriticalSection
#define memc_mutex_take EnterCriticalSection
#define memc_mutex_give LeaveCriticalSection
#define memc_signal_up InitializeConditionVariable
#define memc_signal_down(s) ((void)(s))
#define memc_signal_wait(s, m) SleepConditionVariableCS(s, m, INFINITE)
#define memc_signal_one WakeConditionVariable
#define memc_signal_all WakeAllConditionVariable
#define MEMC_THREAD(name, arg) DWORD WINAPI name(LPVOID arg)
#define memc_thread_start(t, run, arg) ((*(t) = CreateThread(NULL, 0, run, arg, 0, NULL)) == NULL)
#define memc_thread_join(t) (WaitForSingleObject(t, INFINITE), CloseHandle(t))
#else
#include <pthread.h>
#include <unistd.h>
typedef pthread_mutex_t memc_mutex;
typedef pthread_t memc_thread;
typedef pthread_cond_t memc_signal;
typedef pthread_t memc_caller;
#define memc_caller_self pthread_self
#define memc_caller_same pthread_equal
#define memc_process() ((long)getpid()) /* a fork's child has none of the threads */
#define memc_mutex_up(m) pthread_mutex_init(m, NULL)
#define memc_mutex_down(m) pthread_mutex_destroy(m)
#define memc_mutex_take(m) pthread_mutex_lock(m)
#define memc_mutex_give(m) pthread_mutex_unlock(m)
#define memc_signal_up(s) pthread_cond_init(s, NULL)
#define memc_signal_down pthread_cond_destroy
#define memc_signal_wait pthread_cond_wait
#define memc_signal_one pthread_cond_signal
#define memc_signal_all pthread_cond_broadcast
#define MEMC_THREAD(name, arg) void *name(void *arg)
#define memc_thread_start(t, run, arg) pthread_create(t, NULL, run, arg)
#define memc_thread_join(t) pthread_join(t, NULL)
#endif
