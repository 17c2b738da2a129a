#define _GNU_SOURCE

#include "CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

ssize_t read_cached(int file, void *bytes, size_t count, int64_t offset) {
#ifdef RWF_NOWAIT
    struct iovec place = {.iov_base = bytes, .iov_len = count};
    return preadv2(file, &place, 1, (off_t)offset, RWF_NOWAIT);
#else
    (void)file, (void)bytes, (void)count, (void)offset;
    errno = ENOTSUP;
    return -1;
#endif
}

int open_keeping_last_use(const char *path, int flags) {
#ifdef O_NOATIME
    int file = open(path, flags | O_NOATIME);
    // Only the owner of a file may.
    if (file >= 0 || errno != EPERM) return file;
#endif
    return open(path, flags);
}

int exchange_names(const char *one, const char *other) {
#if defined(__linux__) && defined(SYS_renameat2)
    // RENAME_EXCHANGE, which not every C library has.
    return (int)syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, other, 2);
#elif defined(RENAME_SWAP)
    return renamex_np(one, other, RENAME_SWAP);
#else
    (void)one, (void)other;
    errno = ENOTSUP;
    return -1;
#endif
}

static void hold_back_size_signal(sigset_t *before) {
    sigset_t signal;
    sigemptyset(&signal);
    sigaddset(&signal, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal, before);
}

/// Takes the signal that a call has sent that failed with this error, unless it was held back already.
static void stop_holding_back(const sigset_t *before, int error) {
    if (error == EFBIG && !sigismember(before, SIGXFSZ)) {
        sigset_t pending;
        sigset_t signal;
        sigemptyset(&signal);
        sigaddset(&signal, SIGXFSZ);
        int number;
        // Where the process ignores it there is none.
        if (sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ)) sigwait(&signal, &number);
    }
    pthread_sigmask(SIG_SETMASK, before, NULL);
    errno = error;
}

ssize_t write_in_limit(int file, const void *bytes, size_t count, int64_t offset) {
    sigset_t before;
    hold_back_size_signal(&before);
    ssize_t written = offset < 0 ? write(file, bytes, count) : pwrite(file, bytes, count, (off_t)offset);
    stop_holding_back(&before, written < 0 ? errno : 0);
    return written;
}

int truncate_in_limit(int file, int64_t size) {
    sigset_t before;
    hold_back_size_signal(&before);
    int status = ftruncate(file, (off_t)size);
    stop_holding_back(&before, status < 0 ? errno : 0);
    return status;
}
