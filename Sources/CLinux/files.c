#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int clinux_reserve(int descriptor, int64_t bytes) {
    return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, bytes) == 0 ? 0 : errno;
}

void clinux_give_to_folder(const char *path) {
    if (geteuid() != 0) return;
    int before = errno;
    char folder[4096];
    const char *slash = strrchr(path, '/');
    int length = slash ? (int)(slash - path) : 0;
    snprintf(folder, sizeof folder, "%.*s", length > 0 ? length : 1, length > 0 ? path : slash ? "/" : ".");
    struct stat owner, made;
    if (stat(folder, &owner) == 0 && lstat(path, &made) == 0 && made.st_uid != owner.st_uid && made.st_nlink <= 2
        && (S_ISREG(made.st_mode) || S_ISDIR(made.st_mode)))
        // On a file system without owners, lchown fails; another user then gets an error when opening the file.
        (void)!lchown(path, owner.st_uid, owner.st_gid);
    errno = before;
}

int clinux_create_private(const char *path) {
    int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (descriptor >= 0) clinux_give_to_folder(path);
    return descriptor;
}

int clinux_open_plain(const char *path) { return open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC); }
