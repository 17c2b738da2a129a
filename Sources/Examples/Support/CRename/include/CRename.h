#pragma once

/// Gives a file another name, in another directory if wanted, unless there is anything under that name.
///
/// Each directory is an open descriptor. Returns 0, or -1 with `errno` set: `EEXIST` where the name is taken.
int rename_new(int from_directory, const char *from, int to_directory, const char *to);

/// Lets two files change names, at once.
///
/// Returns 0, or -1 with `errno` set: `ENOTSUP` where the system or the file system cannot do that.
int rename_exchange(int one_directory, const char *one, int other_directory, const char *other);
