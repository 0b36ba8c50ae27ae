#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
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

extern char **environ;

// Returns this process's environment without LECTERN_ variables, which may contain a token, plus the input's name.
static char **command_environment(char *name) {
    size_t count = 0, kept = 0;
    while (environ[count]) count++;
    char **environment = calloc(count + 2, sizeof(char *));
    if (!environment) return 0;
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], "LECTERN_", 8) != 0) environment[kept++] = environ[i];
    environment[kept] = name;
    return environment;
}

int clinux_run_shell(const char *command, int input, int output, const char *name, pid_t *pid) {
    char variable[256];
    snprintf(variable, sizeof variable, "LECTERN_BACKUP=%s", name);
    char **environment = command_environment(variable);
    if (!environment) return ENOMEM;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    // The child inherits no other descriptors.
    int code = posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    if (code == 0) code = posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    if (code == 0) code = posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
    if (code == 0) code = posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    // These calls allocate nothing and fail only for invalid flags.
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    char *const arguments[] = {"sh", "-c", (char *)command, 0};
    if (code == 0) code = posix_spawn(pid, "/bin/sh", &files, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    free(environment);
    return code;
}

int clinux_ended(pid_t pid, int *code) {
    int status = 0;
    pid_t found = waitpid(pid, &status, WNOHANG);
    if (found == 0 || (found < 0 && errno == EINTR)) return 0;
    *code = found < 0 ? -1 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return 1;
}
