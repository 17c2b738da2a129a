// Shows the thread sanitizer the locks it cannot see. Loaded before the tests by scripts/sanitize, on Linux.
//
// Where nobody contends for a Synchronization.Mutex, its compare-and-swap is compiled into the client, and the sanitizer
// sees it. Where threads contend, the lock is taken in a slow path inside libswiftSynchronization, which is not
// instrumented, or by the kernel (a priority-inheriting futex): the sanitizer misses that one thread has waited for the
// other, and reports a race between two critical sections of one lock. This library stands in front of the slow paths and
// says what they did: an unlock releases, a lock that was obtained acquires. Nothing is suppressed.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// In the sanitizer's runtime; absent in programs that are built without it.
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool try_lock(SELF) __asm__(TRY_LOCK);
SWIFT void unlock(SELF) __asm__(UNLOCK);

static void *next(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) abort();
    return function;
}

SWIFT void lock(uint32_t thread, SELF) {
    SWIFT void (*call)(uint32_t, SELF) = next(LOCK);
    call(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT bool try_lock(SELF) {
    SWIFT bool (*call)(SELF) = next(TRY_LOCK);
    bool obtained = call(self);
    if (obtained && __tsan_acquire) __tsan_acquire(self);
    return obtained;
}

SWIFT void unlock(SELF) {
    SWIFT void (*call)(SELF) = next(UNLOCK);
    if (__tsan_release) __tsan_release(self);
    call(self);
}
