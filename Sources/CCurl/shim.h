#ifndef LECTERN_CCURL_H
#define LECTERN_CCURL_H
#include <curl/curl.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>

// Swift cannot call variadic functions such as curl_easy_setopt and curl_easy_getinfo.
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
// Returns whether libcurl may connect to an address of 4 or 16 bytes in network order.
typedef bool (*lectern_address_check)(const unsigned char *bytes, size_t count);

// Opens the socket that libcurl requests, unless the check rejects its address.
static inline curl_socket_t lectern_curl_open_socket(void *check, curlsocktype purpose, struct curl_sockaddr *address) {
    const unsigned char *bytes = NULL;
    (void)purpose;
    if (address->family == AF_INET)
        bytes = (const unsigned char *)&((const struct sockaddr_in *)(const void *)&address->addr)->sin_addr;
    if (address->family == AF_INET6)
        bytes = (const unsigned char *)&((const struct sockaddr_in6 *)(const void *)&address->addr)->sin6_addr;
    if (bytes == NULL || !((lectern_address_check)check)(bytes, address->family == AF_INET ? 4 : 16))
        return CURL_SOCKET_BAD;
    int type = address->socktype;
#ifdef SOCK_CLOEXEC
    type |= SOCK_CLOEXEC;
#endif
    return socket(address->family, type, address->protocol);
}
static inline CURLcode lectern_curl_set_address_check(CURL *handle, lectern_address_check check) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, (void *)check);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, lectern_curl_open_socket) : code;
}
static inline long lectern_curl_status(CURL *handle) {
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}
#endif
