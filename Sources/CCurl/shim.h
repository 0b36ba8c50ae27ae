#ifndef LECTERN_CCURL_H
#define LECTERN_CCURL_H
#include <curl/curl.h>

// curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call.
static inline CURLcode lectern_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode lectern_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode lectern_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}
typedef size_t (*lectern_curl_writer)(char *, size_t, size_t, void *);
static inline CURLcode lectern_curl_set_writer(CURL *handle, CURLoption option, lectern_curl_writer writer) {
    return curl_easy_setopt(handle, option, writer);
}
static inline CURLcode lectern_curl_set_socket_opener(CURL *handle, curl_opensocket_callback opener) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, opener);
}
static inline long lectern_curl_status(CURL *handle) {
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}
#endif
