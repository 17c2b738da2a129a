#pragma once

#include "../../System/libcurl/shim.h"

// curl_easy_setopt and curl_easy_getinfo take variable arguments, which Swift cannot pass: one function for each type.

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);
CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode ccurl_set_headers(CURL *easy, struct curl_slist *headers);

typedef size_t (*ccurl_receive)(char *bytes, size_t size, size_t count, void *context);
/// Sets the function that takes body bytes, and the one that takes header lines.
CURLcode ccurl_set_receivers(CURL *easy, ccurl_receive body, ccurl_receive header, void *context);

/// Bounds the connections of a multi handle; transfers beyond wait their turn.
CURLMcode ccurl_limit_connections(CURLM *multi, long total, long per_host);

long ccurl_status(CURL *easy);
/// The announced length of the body; -1 when it is not known.
long long ccurl_content_length(CURL *easy);
long long ccurl_bytes_received(CURL *easy);
/// What CURLOPT_PRIVATE was set to.
void *ccurl_context(CURL *easy);

/// Prepares libcurl for this process; does nothing the second time. Returns 0, or what is wrong.
CURLcode ccurl_initialize(void);

/// What a write function returns to pause its transfer.
static const size_t ccurl_pause = CURL_WRITEFUNC_PAUSE;
