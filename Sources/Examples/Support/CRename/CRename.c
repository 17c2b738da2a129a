#define _GNU_SOURCE
#include "CRename.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/syscall.h>

/// By number, since not every C library has the function.
static int rename_by(int from_directory, const char *from, int to_directory, const char *to, unsigned flags) {
    return (int)syscall(SYS_renameat2, from_directory, from, to_directory, to, flags);
}
enum { NEW = 1 << 0, EXCHANGE = 1 << 1 };
#elif defined(__APPLE__)
static int rename_by(int from_directory, const char *from, int to_directory, const char *to, unsigned flags) {
    return renameatx_np(from_directory, from, to_directory, to, flags);
}
enum { NEW = RENAME_EXCL, EXCHANGE = RENAME_SWAP };
#else
static int rename_by(int from_directory, const char *from, int to_directory, const char *to, unsigned flags) {
    errno = ENOTSUP;
    return -1;
}
enum { NEW, EXCHANGE };
#endif

static int is_unsupported(void) { return errno == EINVAL || errno == ENOSYS || errno == ENOTSUP || errno == EOPNOTSUPP; }

int rename_new(int from_directory, const char *from, int to_directory, const char *to) {
    if (rename_by(from_directory, from, to_directory, to, NEW) == 0) return 0;
    if (!is_unsupported()) return -1;
    // A second name is never given in place of another file either.
    if (linkat(from_directory, from, to_directory, to, 0) != 0) return -1;
    return unlinkat(from_directory, from, 0);
}

int rename_exchange(int one_directory, const char *one, int other_directory, const char *other) {
    if (rename_by(one_directory, one, other_directory, other, EXCHANGE) == 0) return 0;
    if (is_unsupported()) errno = ENOTSUP;
    return -1;
}
