#pragma once

#if __has_include(<openssl/sha.h>)
#include <stdio.h>
// SHA256_Init and its like compute on the caller's stack; what has replaced them looks an algorithm up each time, and allocates.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
#else
#error "openssl/sha.h is missing. Debian, Ubuntu: apt-get install libssl-dev. macOS: brew install openssl. Or run scripts/setup."
#endif
