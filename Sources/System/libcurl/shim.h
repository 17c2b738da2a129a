#pragma once

#if __has_include(<curl/curl.h>)
#include <stdio.h>
#include <curl/curl.h>
#else
#error "curl/curl.h is missing. Debian, Ubuntu: apt-get install libcurl4-openssl-dev. macOS: brew install curl. Or run scripts/setup."
#endif
