#pragma once

#if __has_include(<openssl/sha.h>)
#include <stdio.h>
#include <openssl/sha.h>
#else
#error "openssl/sha.h is missing. Debian, Ubuntu: apt-get install libssl-dev. macOS: brew install openssl. Or run scripts/setup."
#endif
