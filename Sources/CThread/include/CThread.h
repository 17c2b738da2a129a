#pragma once

// The module passes on what it includes: the system's module has another name on each system.
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

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

/// Starts a detached thread.
///
/// Returns 0, or the system's error number; then the body does not run. The name is cut to 15 bytes; a stack size of 0
/// is the system's default.
int start_thread(
    const char *_Nonnull name, size_t stack_size, void (*_Nonnull body)(void *_Nonnull), void *_Nonnull argument);

/// Tells the processor that the thread waits for another one's store.
static inline void spin_hint(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
    __asm__ volatile("yield");
#endif
}
