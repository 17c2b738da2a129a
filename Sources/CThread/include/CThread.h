#pragma once

#include <stdint.h>

#if !(defined(__linux__) && __has_builtin(__builtin_thread_pointer))
#include <pthread.h>
#endif

/// A number that no other living thread has; never 0.
///
/// On Linux this is one instruction, whereas pthread_self is a call into another library: 2 ns for each value that
/// flatMap passes on.
static inline uintptr_t current_thread(void) {
#if defined(__linux__) && __has_builtin(__builtin_thread_pointer)
    return (uintptr_t)__builtin_thread_pointer();
#else
    return (uintptr_t)pthread_self();
#endif
}

/// Tells the processor that the thread waits for another one's store.
static inline void spin_hint(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
    __asm__ volatile("yield");
#endif
}
