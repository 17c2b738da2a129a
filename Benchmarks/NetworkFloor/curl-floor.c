// GETs of one URL by libcurl's multi interface and nothing else: the floor of what a transport on libcurl can take.
//
//     curl-floor URL COUNT AT-ONCE http1|http2 AUTHORITY-FILE BODY-BYTES
//
// Prints milliseconds of wall time, of processor time, and the peak memory in kilobytes. Ends with 1 unless every body has so many bytes.

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../measures.h"

static size_t receive(char *bytes, size_t size, size_t count, void *received) {
    (void)bytes;
    *(long long *)received += (long long)(size * count);
    return size * count;
}

int main(int argc, char **argv) {
    if (argc < 7) return 2;
    long count = atol(argv[2]), at_once = atol(argv[3]), left = count, running = 0;
    long long body = atoll(argv[6]), received = 0;
    double wall = milliseconds(CLOCK_MONOTONIC), cpu = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
    if (count > 0) {
        curl_global_init(CURL_GLOBAL_DEFAULT);
        CURLM *multi = curl_multi_init();
        curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, 64L);
        for (long i = 0; i < at_once && left > 0; i++, left--, running++) {
            CURL *easy = curl_easy_init();
            curl_easy_setopt(easy, CURLOPT_URL, argv[1]);
            curl_easy_setopt(easy, CURLOPT_PROXY, "");
            curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
            curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 65536L);
            curl_easy_setopt(easy, CURLOPT_CAINFO, argv[5]);
            curl_easy_setopt(
                easy, CURLOPT_HTTP_VERSION,
                (long)(strcmp(argv[4], "http2") ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS));
            curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
            curl_easy_setopt(easy, CURLOPT_WRITEDATA, &received);
            curl_multi_add_handle(multi, easy);
        }
        while (running > 0) {
            int active, messages;
            CURLMsg *message;
            curl_multi_perform(multi, &active);
            while ((message = curl_multi_info_read(multi, &messages))) {
                CURL *easy = message->easy_handle;
                if (message->data.result) {
                    fprintf(stderr, "%s\n", curl_easy_strerror(message->data.result));
                    return 1;
                }
                curl_multi_remove_handle(multi, easy);
                // The one handle again: no floor is lower.
                if (left > 0) {
                    left--;
                    curl_multi_add_handle(multi, easy);
                } else {
                    running--;
                    curl_easy_cleanup(easy);
                }
            }
            if (running > 0) curl_multi_poll(multi, NULL, 0, 1000, NULL);
        }
        curl_multi_cleanup(multi);
    }
    printf("%.3f %.3f %ld\n", milliseconds(CLOCK_MONOTONIC) - wall, milliseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu,
           peak_kilobytes());
    return received == count * body ? 0 : 1;
}
