// Functions that Swift's Glibc module lacks: packed epoll events, accept4, peer credentials, variadic calls.
#ifndef CLINUX_H
#define CLINUX_H

#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/types.h>

// The buffer for epoll_wait. Opaque to Swift, because the kernel's struct is packed.
typedef struct epoll_event clinux_epoll_event;

static inline int clinux_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t data) {
    struct epoll_event event = {.events = events, .data.u64 = data};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

static inline int clinux_epoll_remove(int epoll, int descriptor) {
    return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, 0);
}

// An unpacked epoll event for Swift.
typedef struct {
    uint64_t data;
    uint32_t events;
} clinux_ready;

#define CLINUX_READY_MAX 256

// Waits for at most CLINUX_READY_MAX events; returns their number, or -1 with errno.
int clinux_epoll_wait(int epoll, clinux_ready *ready, int timeout_milliseconds);

// Returns the number of cores that this process may use; at least 1.
int clinux_core_count(void);

// An IPv6 address; its first bit is the highest of `high`. IPv4 is ::ffff:0:0/96. All zeros: no address.
typedef struct {
    uint64_t high;
    uint64_t low;
} clinux_address;

// Calls accept4 with SOCK_NONBLOCK | SOCK_CLOEXEC. Stores the peer's address. Returns the descriptor, or -errno.
int clinux_accept(int listener, clinux_address *peer);

// Opens a file with O_RDONLY | O_CLOEXEC. Returns the descriptor, or -1 with errno.
int clinux_open_readonly(const char *path);

// The identity of the file at a path.
typedef struct {
    uint64_t device;
    uint64_t inode;
    // The creation time in nanoseconds since 1970; -1 if the file system does not store it.
    int64_t born;
} clinux_file;

// Stores the identity in `file`. Returns 0, or -1 with errno.
int clinux_identify(const char *path, clinux_file *file);

// Lowers the calling thread's priority below all others (nice 10).
void clinux_yield_to_others(void);

// Creates a yescrypt setting with a random salt, for crypt(3). Costs of 1 to 11 take 1 MiB to 1 GiB, doubling each time.
// Returns 0, or -1 with errno.
#define CLINUX_CRYPT_TEXT 384
int clinux_crypt_setting(int cost, char setting[CLINUX_CRYPT_TEXT]);

// Hashes a phrase with crypt(3) and a setting, or an earlier hash, which begins with its setting. Returns 0, or -1 with errno.
int clinux_crypt(const char *phrase, const char *setting, char hash[CLINUX_CRYPT_TEXT]);
// Returns the commit that the program was built from; empty if the build did not set it.
const char *clinux_commit(void);

// Names the calling thread (at most 15 characters are shown).
void clinux_name_thread(const char *name);

// Waits for a semaphore (sem_t) until it is signalled, for at most some time by the monotonic clock, which nobody sets
// (sem_clockwait). A signal handler may end the wait early.
void clinux_wait(void *semaphore, int64_t milliseconds);

// Reserves disk space for a file without changing its length. Returns 0 or the error's number.
int clinux_reserve(int descriptor, int64_t bytes);

// Gives a file or folder that root has just created to its folder's owner. Otherwise a service that runs as another user could
// not open it. Does nothing for other users, and for anything but plain files and folders.
void clinux_give_to_folder(const char *path);

// Creates a file that only its owner may read, and fails if the name exists. See `clinux_give_to_folder`.
// Returns the descriptor, or -1 with errno.
int clinux_create_private(const char *path);

// Opens a file for reading, unless it is a link. Returns the descriptor, or -1 with errno.
int clinux_open_plain(const char *path);

#endif
