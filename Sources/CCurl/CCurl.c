// For RTLD_DEFAULT.
#define _GNU_SOURCE

#include "CCurl.h"

#include <dlfcn.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#ifdef __linux__
#include <linux/sockios.h>
#endif

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) { return curl_easy_setopt(easy, option, value); }

CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) { return curl_easy_setopt(easy, option, value); }

CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *list) {
    return curl_easy_setopt(easy, option, list);
}

CURLcode ccurl_allow_http_only(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

CURLcode ccurl_set_callbacks(
    CURL *easy, ccurl_receive body, ccurl_receive header, ccurl_open_socket open, ccurl_connected connected,
    void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, connected);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_PRIVATE, context);
    return code;
}

CURLcode ccurl_set_upload(CURL *easy, ccurl_send send, ccurl_seek seek, long long length, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_READFUNCTION, send);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_READDATA, context);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, seek);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_SEEKDATA, context);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)length);
    return code;
}

CURLMcode ccurl_keep_connections(CURLM *multi, long count) {
    return curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, count);
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

long ccurl_os_errno(CURL *easy) {
    long code = 0;
    curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &code);
    return code;
}

long ccurl_verify_result(CURL *easy) {
    long result = 0;
    curl_easy_getinfo(easy, CURLINFO_SSL_VERIFYRESULT, &result);
    return result;
}

int ccurl_is_reused(CURL *easy) {
    long connections = 1;
    curl_easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &connections);
    return connections == 0;
}

int ccurl_local_port(int descriptor) {
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    if (getsockname(descriptor, (struct sockaddr *)&address, &size)) return 0;
    if (address.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&address)->sin_port);
    return address.ss_family == AF_INET6 ? ntohs(((struct sockaddr_in6 *)&address)->sin6_port) : 0;
}

int ccurl_has_decrypted(CURL *easy) {
    // libcurl's library is not ours to link: which one it is, each build of libcurl decides.
    static const char *const names[] = {
        [CURLSSLBACKEND_OPENSSL] = "SSL_has_pending", [CURLSSLBACKEND_GNUTLS] = "gnutls_record_check_pending"};
    struct curl_tlssessioninfo *session = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) || !session || !session->internals) return 0;
    size_t backend = (size_t)session->backend;
    if (backend >= sizeof names / sizeof *names || !names[backend]) return 0;
    void *function = dlsym(RTLD_DEFAULT, names[backend]);
    if (!function) return 0;
    // GnuTLS counts the bytes, OpenSSL says whether there are any.
    if (backend == CURLSSLBACKEND_GNUTLS) return ((size_t(*)(void *))function)(session->internals) > 0;
    return ((int (*)(const void *))function)(session->internals) > 0;
}

int ccurl_unacknowledged(int descriptor) {
    int count = 0;
#if defined(SIOCOUTQ)
    if (ioctl(descriptor, SIOCOUTQ, &count)) return 0;
#elif defined(SO_NWRITE)
    socklen_t size = sizeof count;
    if (getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &size)) return 0;
#else
    (void)descriptor;
#endif
    return count;
}

void *ccurl_context(CURL *easy) {
    char *context = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &context);
    return context;
}

const struct sockaddr *ccurl_address(const struct curl_sockaddr *address) { return &address->addr; }

unsigned int ccurl_punycode_flag(void) {
#ifdef CURLU_PUNYCODE
    return CURLU_PUNYCODE;
#else
    return 0;
#endif
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CURLcode initialized;

static void initialize(void) {
    // OpenSSL takes itself down when the process exits, while transports' threads use it still: they would crash. Whoever is first to
    // use it decides whether it does. It is not ours to link (see above).
    typedef int (*prepare)(uint64_t, const void *);
    const uint64_t without_exit_handler = 0x00080000; // OPENSSL_INIT_NO_ATEXIT
    prepare openssl = (prepare)dlsym(RTLD_DEFAULT, "OPENSSL_init_crypto");
    if (openssl) openssl(without_exit_handler, NULL);
    initialized = curl_global_init(CURL_GLOBAL_DEFAULT);
}

CURLcode ccurl_initialize(void) {
    pthread_once(&once, initialize);
    return initialized;
}
