// What Swift's Glibc module cannot say: packed epoll events, accept4, peer credentials, variadic calls.
#ifndef CLINUX_H
#define CLINUX_H

#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/types.h>

// The buffer that epoll_wait fills. Opaque to Swift, because the kernel's struct is packed.
typedef struct epoll_event clinux_epoll_event;

static inline int clinux_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t data) {
    struct epoll_event event = {.events = events, .data.u64 = data};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

static inline int clinux_epoll_modify(int epoll, int descriptor, uint32_t events, uint64_t data) {
    struct epoll_event event = {.events = events, .data.u64 = data};
    return epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event);
}

static inline int clinux_epoll_remove(int epoll, int descriptor) {
    return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, 0);
}

// An event as Swift sees it.
typedef struct {
    uint64_t data;
    uint32_t events;
} clinux_ready;

#define CLINUX_READY_MAX 256

// Waits for at most CLINUX_READY_MAX events; returns their number, or -1 with errno.
int clinux_epoll_wait(int epoll, clinux_ready *ready, int timeout_milliseconds);

// How many cores this process may use; at least 1.
int clinux_core_count(void);

// An IPv6 address, its first bit the highest of `high`. IPv4 is ::ffff:0:0/96; what has no address is all zeros.
typedef struct {
    uint64_t high;
    uint64_t low;
} clinux_address;

// accept4 with SOCK_NONBLOCK | SOCK_CLOEXEC. Returns the descriptor, or -errno. Fills in who is at the other end.
int clinux_accept(int listener, clinux_address *peer);

// SO_PEERCRED: the user id of a Unix socket's peer, or -1.
int64_t clinux_peer_uid(int descriptor);

// Sets the descriptor to non-blocking mode; 0, or -1 with errno.
int clinux_set_nonblocking(int descriptor);

// open(path, O_RDONLY | O_CLOEXEC); the descriptor, or -1 with errno.
int clinux_open_readonly(const char *path);

// Which file a path leads to.
typedef struct {
    uint64_t device;
    uint64_t inode;
    // Nanoseconds since 1970; -1 where the file system does not keep it.
    int64_t born;
} clinux_file;

// Fills in `file`; 0, or -1 with errno.
int clinux_identify(const char *path, clinux_file *file);

// From now on the calling thread works only when nobody else wants to (nice 10).
void clinux_yield_to_others(void);

// A new setting of yescrypt with a random salt, for crypt(3); a cost of 1 to 11 takes 1 MiB to 1 GiB, twice as much each.
// 0, or -1 with errno.
#define CLINUX_CRYPT_TEXT 384
int clinux_crypt_setting(int cost, char setting[CLINUX_CRYPT_TEXT]);

// What crypt(3) makes of a phrase by a setting, or by an earlier hash, whose setting it begins with. 0, or -1 with errno.
int clinux_crypt(const char *phrase, const char *setting, char hash[CLINUX_CRYPT_TEXT]);
// The commit that the program was built of; empty where nobody said.
const char *clinux_commit(void);

// Names the calling thread (at most 15 characters are shown).
void clinux_name_thread(const char *name);

// Reserves disk space for a file, whose length stays as it is. Returns 0 or the error's number.
int clinux_reserve(int descriptor, int64_t bytes);

// Gives what root has just made to who owns the folder that it is in: else a service that is somebody could not open what a command
// of root's left it. Does nothing for others, and for what is no plain file or folder.
void clinux_give_to_folder(const char *path);

// Makes a file that only its owner may read, where there is none by that name, see `clinux_give_to_folder`; the descriptor, or -1 with errno.
int clinux_create_private(const char *path);

// Opens a file for reading, and no link to one; the descriptor, or -1 with errno.
int clinux_open_plain(const char *path);

// Starts `/bin/sh -c command` in a process group of its own, with that standard input, whose name is in LECTERN_BACKUP, the only
// variable of that beginning, and that one for all it says; 0 and its pid, or the error's number.
int clinux_run_shell(const char *command, int input, int output, const char *name, pid_t *pid);

// Whether a child has ended; then its exit code, or 128 and the signal's number.
int clinux_ended(pid_t pid, int *code);

#endif
