#include "CCurl.h"

#include <pthread.h>

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) { return curl_easy_setopt(easy, option, value); }

CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) { return curl_easy_setopt(easy, option, value); }

CURLcode ccurl_set_headers(CURL *easy, struct curl_slist *headers) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}

CURLcode ccurl_set_receivers(CURL *easy, ccurl_receive body, ccurl_receive header, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_PRIVATE, context);
    return code;
}

CURLMcode ccurl_limit_connections(CURLM *multi, long total, long per_host) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, total);
    return code ? code : curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, per_host);
}

long ccurl_status(CURL *easy) {
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

long long ccurl_content_length(CURL *easy) {
    curl_off_t length = -1;
    curl_easy_getinfo(easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    return length;
}

long long ccurl_bytes_received(CURL *easy) {
    curl_off_t count = 0;
    curl_easy_getinfo(easy, CURLINFO_SIZE_DOWNLOAD_T, &count);
    return count;
}

void *ccurl_context(CURL *easy) {
    char *context = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &context);
    return context;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CURLcode initialized;

static void initialize(void) { initialized = curl_global_init(CURL_GLOBAL_DEFAULT); }

CURLcode ccurl_initialize(void) {
    pthread_once(&once, initialize);
    return initialized;
}
