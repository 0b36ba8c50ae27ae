"""The image's files run by crun: as the image's user, read-only, without a capability, its volume the only place to write."""

import json, os, signal, subprocess, time


class Container:
    def __init__(self, folder, root, config, port):
        self.folder, self.port, self.name = folder, port, f"lectern-ci-{os.getpid()}-{time.monotonic_ns()}"
        self.bundle = os.path.join(folder, self.name)
        self.data = os.path.join(self.bundle, "data")
        os.makedirs(self.data)
        self.user = [int(part) for part in config["User"].split(":")]
        # As an engine makes a new volume: like the folder of the image that it is over.
        os.chown(self.data, *self.user)
        os.chmod(self.data, 0o700)
        environment = [setting for setting in config["Env"] if not setting.startswith("LECTERN_LISTEN=")] + [f"LECTERN_LISTEN=127.0.0.1:{port}"]
        self.health = config["Healthcheck"]["Test"][1:]
        with open(os.path.join(self.bundle, "config.json"), "w") as file:
            json.dump(self.specification(root, config, environment), file)
        self.log = open(os.path.join(self.bundle, "log"), "wb")
        self.process = None

    def specification(self, root, config, environment):
        nothing = {kind: [] for kind in ("bounding", "effective", "inheritable", "permitted", "ambient")}
        return {
            "ociVersion": "1.0.2",
            "process": {"terminal": False, "user": {"uid": self.user[0], "gid": self.user[1]}, "args": config["Entrypoint"] + config["Cmd"], "env": environment,
                        "cwd": config.get("WorkingDir") or "/", "capabilities": nothing, "noNewPrivileges": True,
                        "rlimits": [{"type": "RLIMIT_NOFILE", "hard": 65536, "soft": 65536}]},
            "root": {"path": root, "readonly": True},
            "mounts": [
                {"destination": "/proc", "type": "proc", "source": "proc", "options": ["nosuid", "noexec", "nodev"]},
                {"destination": "/dev", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "noexec", "strictatime", "mode=755", "size=65536k"]},
                {"destination": list(config["Volumes"])[0], "type": "bind", "source": self.data, "options": ["rbind", "rw", "nosuid", "nodev"]},
            ],
            # The machine's network, so that it can be asked.
            "linux": {"namespaces": [{"type": kind} for kind in ("pid", "mount", "ipc", "uts")],
                      "maskedPaths": ["/proc/kcore", "/proc/keys"], "readonlyPaths": ["/proc/sys", "/proc/bus"]},
        }

    def crun(self, *command, **more):
        return subprocess.run(["crun", "--cgroup-manager=disabled", "--root", os.path.join(self.folder, "crun"), *command], **more)

    def start(self):
        self.process = subprocess.Popen(["crun", "--cgroup-manager=disabled", "--root", os.path.join(self.folder, "crun"), "run", "--bundle", self.bundle, self.name],
                                        stdout=self.log, stderr=self.log)

    def said(self):
        with open(self.log.name) as file:
            return file.read()

    def execute(self, *command):
        """Something in the container, as its user."""
        return self.crun("exec", self.name, *command, capture_output=True, text=True)

    def is_healthy(self):
        return self.execute(*self.health).returncode == 0

    def first(self):
        """The process in the container, as this machine numbers it."""
        state = self.crun("state", self.name, capture_output=True, text=True)
        return json.loads(state.stdout)["pid"]

    def stop(self, number=signal.SIGTERM):
        self.crun("kill", self.name, signal.Signals(number).name, capture_output=True)

    def close(self):
        if self.process and self.process.poll() is None:
            self.stop(signal.SIGKILL)
            self.process.wait(20)
        self.crun("delete", "--force", self.name, capture_output=True)
        self.log.close()
