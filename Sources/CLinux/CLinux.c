#define _GNU_SOURCE
#include "CLinux.h"

#include <crypt.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int clinux_epoll_wait(int epoll, clinux_ready *ready, int timeout_milliseconds) {
    struct epoll_event events[CLINUX_READY_MAX];
    int count = epoll_wait(epoll, events, CLINUX_READY_MAX, timeout_milliseconds);
    for (int i = 0; i < count; i++) {
        ready[i].data = events[i].data.u64;
        ready[i].events = events[i].events;
    }
    return count;
}

void clinux_wait(void *semaphore, int64_t milliseconds) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += milliseconds / 1000;
    end.tv_nsec += milliseconds % 1000 * 1000000;
    if (end.tv_nsec >= 1000000000) {
        end.tv_sec += 1;
        end.tv_nsec -= 1000000000;
    }
    sem_clockwait(semaphore, CLOCK_MONOTONIC, &end);
}

int clinux_core_count(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? count : 1;
}

int clinux_accept(int listener, clinux_address *peer) {
    struct sockaddr_storage storage;
    socklen_t size = sizeof storage;
    storage.ss_family = AF_UNSPEC;
    peer->high = 0;
    peer->low = 0;
    int descriptor = accept4(listener, (struct sockaddr *)&storage, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0) return -errno;
    if (storage.ss_family == AF_INET) {
        peer->low = 0xffff00000000 | ntohl(((struct sockaddr_in *)&storage)->sin_addr.s_addr);
    } else if (storage.ss_family == AF_INET6) {
        uint64_t words[2];
        memcpy(words, &((struct sockaddr_in6 *)&storage)->sin6_addr, sizeof words);
        peer->high = be64toh(words[0]);
        peer->low = be64toh(words[1]);
    }
    return descriptor;
}

int clinux_open_readonly(const char *path) { return open(path, O_RDONLY | O_CLOEXEC); }

int clinux_identify(const char *path, clinux_file *file) {
    struct statx found;
    if (statx(AT_FDCWD, path, 0, STATX_INO | STATX_BTIME, &found) != 0) return -1;
    file->device = (uint64_t)found.stx_dev_major << 32 | found.stx_dev_minor;
    file->inode = found.stx_ino;
    file->born = -1;
    if (found.stx_mask & STATX_BTIME) file->born = found.stx_btime.tv_sec * 1000000000LL + found.stx_btime.tv_nsec;
    return 0;
}

// Linux sets the calling thread's priority here, POSIX the process's.
void clinux_yield_to_others(void) { setpriority(PRIO_PROCESS, 0, 10); }

void clinux_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int clinux_crypt_setting(int cost, char setting[CLINUX_CRYPT_TEXT]) {
    return crypt_gensalt_rn("$y$", (unsigned long)cost, 0, 0, setting, CLINUX_CRYPT_TEXT) ? 0 : -1;
}

// Clears the 32 KiB of scratch memory afterwards, because they contain data derived from the phrase.
int clinux_crypt(const char *phrase, const char *setting, char hash[CLINUX_CRYPT_TEXT]) {
    struct crypt_data *data = calloc(1, sizeof *data);
    if (!data) return -1;
    const char *made = crypt_rn(phrase, setting, data, sizeof *data);
    int result = made && strlen(made) < CLINUX_CRYPT_TEXT ? 0 : -1;
    if (result == 0) strcpy(hash, made);
    explicit_bzero(data, sizeof *data);
    free(data);
    return result;
}
