#pragma once

// Calls of the system that Swift's module of the C library leaves out, as they are extensions of it, or that need more than a call.

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Reads bytes of a file that the system holds in memory, without waiting for the medium.
///
/// Returns how many bytes were read, from the first on, or -1 with `errno` set: `EAGAIN` where the medium would have to be waited for,
/// `ENOTSUP` where the system or the file system cannot tell.
ssize_t read_cached(int file, void *_Nullable bytes, size_t count, int64_t offset);

/// Opens a file that is there, and has the system leave its time of last use as it is when it is read, where the system can and the
/// process may.
///
/// Returns a descriptor, or -1 with `errno` set.
int open_keeping_last_use(const char *_Nonnull path, int flags);

/// Gives each of two files the name of the other one, in one step.
///
/// Returns 0, or -1 with `errno` set: `ENOENT` where one has no file, and others where the system or the file system cannot.
int exchange_names(const char *_Nonnull one, const char *_Nonnull other);

/// Writes bytes at an offset, or, if that is negative, where the descriptor is.
///
/// Does what `pwrite` and `write` do, but for the process's limit for the size of files: beyond it, it fails with `EFBIG` and
/// does not end the process.
ssize_t write_in_limit(int file, const void *_Nullable bytes, size_t count, int64_t offset);

/// Does what `ftruncate` does, with the same exception.
int truncate_in_limit(int file, int64_t size);
