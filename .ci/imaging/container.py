"""A container of the image's files without an engine: namespaces, a read-only root, the image's user, no capabilities, and a volume as the
only writable place. Engines need control groups, which not every test machine has, and which these tests do not concern."""

import os, shlex, signal, subprocess, time

# In new namespaces, this mounts the file systems of a container, makes the image the root, and becomes the image's user.
SCRIPT = """set -e
mount --make-rprivate /
mount --bind {root} {root}
mount --bind {data} {root}{volume}
mount -t proc -o nosuid,noexec,nodev proc {root}/proc
mount -t tmpfs -o nosuid,noexec,mode=755,size=64k tmpfs {root}/dev
for device in null zero urandom; do : > {root}/dev/$device; mount --bind /dev/$device {root}/dev/$device; done
mount -o remount,bind,ro {root}
cd {root}
pivot_root . .
umount -l .
cd {directory}
exec {confined} {command}
"""


class Container:
    def __init__(self, folder, root, config, port):
        self.root, self.config, self.port = root, config, port
        self.bundle = os.path.join(folder, f"container-{os.getpid()}-{time.monotonic_ns()}")
        self.data = os.path.join(self.bundle, "data")
        os.makedirs(self.data)
        self.user = [int(part) for part in config["User"].split(":")]
        # A new volume gets the owner and mode of the image's folder at its place, as engines do.
        os.chown(self.data, *self.user)
        os.chmod(self.data, 0o700)
        settings = [setting for setting in config["Env"] if not setting.startswith("LECTERN_LISTEN=")] + [f"LECTERN_LISTEN=127.0.0.1:{port}"]
        self.confined = ["/usr/bin/env", "-i", *settings, "/usr/bin/setpriv", f"--reuid={self.user[0]}", f"--regid={self.user[1]}", "--clear-groups",
                         "--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all", "--no-new-privs"]
        self.log = open(os.path.join(self.bundle, "log"), "wb")
        self.process = None

    def start(self):
        script = SCRIPT.format(
            root=shlex.quote(self.root), data=shlex.quote(self.data), volume=list(self.config["Volumes"])[0], directory=self.config.get("WorkingDir") or "/",
            confined=shlex.join(self.confined), command=shlex.join(self.config["Entrypoint"] + self.config["Cmd"]))
        # The machine's network is shared, so the test can send requests.
        self.process = subprocess.Popen(["unshare", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child", "sh", "-c", script], stdout=self.log, stderr=self.log)

    def said(self):
        with open(self.log.name) as file:
            return file.read()

    def first(self):
        """Returns the container's first process, by this machine's number, or None before it exists."""
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as file:
            numbers = file.read().split()
        return int(numbers[0]) if numbers else None

    def execute(self, *command):
        """Runs a command in the container, as its user."""
        if not (first := self.first()):
            return subprocess.CompletedProcess(command, 1, "", "it has not begun")
        return subprocess.run(["nsenter", "--target", str(first), "--mount", "--pid", "--ipc", "--uts", "--root", "--wd=/", *self.confined, *command], capture_output=True, text=True)

    def is_healthy(self):
        return self.execute(*self.config["Healthcheck"]["Test"][1:]).returncode == 0

    def stop(self, number=signal.SIGTERM):
        os.kill(self.first(), number)

    def close(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait(20)
        self.log.close()
