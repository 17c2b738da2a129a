#pragma once

#include "../../System/libcurl/shim.h"

// curl_easy_setopt and curl_easy_getinfo take variable arguments, which Swift cannot pass: one function for each type.
// Whatever is newer than libcurl 7.81 (Ubuntu 22.04) is asked for by version, here only.

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);
CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *list);

/// Allows http and https and nothing else.
CURLcode ccurl_allow_http_only(CURL *easy);

typedef size_t (*ccurl_receive)(char *bytes, size_t size, size_t count, void *context);
typedef curl_socket_t (*ccurl_open_socket)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
typedef int (*ccurl_connected)(void *context, char *remote, char *local, int remote_port, int local_port);
/// Sets the functions that take body bytes and header lines, open sockets, and are told before a request is sent.
CURLcode ccurl_set_callbacks(
    CURL *easy, ccurl_receive body, ccurl_receive header, ccurl_open_socket open, ccurl_connected connected,
    void *context);

typedef size_t (*ccurl_send)(char *bytes, size_t size, size_t count, void *context);
typedef int (*ccurl_seek)(void *context, curl_off_t offset, int origin);
/// Sends a body of this length by PUT; the functions bring its bytes, and begin anew where that is needed.
CURLcode ccurl_set_upload(CURL *easy, ccurl_send send, ccurl_seek seek, long long length, void *context);

/// Sets how many idle connections a multi handle keeps.
CURLMcode ccurl_keep_connections(CURLM *multi, long count);

long ccurl_status(CURL *easy);
/// The announced length of the body; -1 when it is not known.
long long ccurl_content_length(CURL *easy);
/// The errno of the last failed connection; 0 when there is none.
long ccurl_os_errno(CURL *easy);
/// OpenSSL's verdict on the server's certificate: an X509_V_ value.
long ccurl_verify_result(CURL *easy);
/// Whether the transfer goes over a connection that another one has used.
int ccurl_is_reused(CURL *easy);
/// The port of this end of a socket; 0 where there is none.
int ccurl_local_port(int descriptor);
/// Whether bytes wait that the TLS library has taken from the transfer's connection, and nobody from it. Also 0 where the library is not
/// known, or is linked so that its functions cannot be found.
int ccurl_has_decrypted(CURL *easy);
/// The bytes that were written to a socket and that its peer has not acknowledged; 0 where that is not known.
int ccurl_unacknowledged(int descriptor);
/// What CURLOPT_PRIVATE was set to.
void *ccurl_context(CURL *easy);

/// The address of what a socket is to be opened for.
const struct sockaddr *ccurl_address(const struct curl_sockaddr *address);

/// The flag with which curl_url_get writes host names in ASCII; 0 before 7.88.
unsigned int ccurl_punycode_flag(void);

/// Prepares libcurl for this process; does nothing the second time. Returns 0, or what is wrong.
CURLcode ccurl_initialize(void);

/// A function that brings a body returns this to end its transfer.
static const size_t ccurl_abort = CURL_READFUNC_ABORT;
/// A write function returns this to pause its transfer.
static const size_t ccurl_pause = CURL_WRITEFUNC_PAUSE;
