#define _GNU_SOURCE

#include "CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>

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
