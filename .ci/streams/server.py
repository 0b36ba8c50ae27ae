"""A separate Lectern server with a data folder and a port, and the ways to end it."""

import os, random, signal, socket, sqlite3, subprocess, time


class Server:
    def __init__(self, binary, folder, retention, arguments=()):
        self.binary, self.data, self.retention, self.arguments = binary, os.path.join(folder, "data"), retention, list(arguments)
        self.backups = os.path.join(folder, "backups")
        self.log = open(os.path.join(folder, "server.log"), "ab")
        self.port = self.free_port()
        self.process = None

    @staticmethod
    def free_port():
        """Returns a free port outside the range for clients: stages run in parallel, and each has many clients."""
        while True:
            port = random.SystemRandom().randrange(20_000, 32_000)
            with socket.socket() as probe:
                try:
                    probe.bind(("127.0.0.1", port))
                    return port
                except OSError:
                    pass

    def start(self):
        command = [self.binary, "serve", "--listen", f"127.0.0.1:{self.port}", "--data", self.data, "--log-level", "error",
                   "--retention-changes", str(self.retention), "--backup-interval-hours", "24", "--backup-row-log", "true", "--backup-directory", self.backups] + self.arguments
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended with {self.process.returncode} while it started")
            try:
                with socket.create_connection(("127.0.0.1", self.port), 5) as probe:
                    probe.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
                    if probe.recv(64).startswith(b"HTTP/1.1 200"):
                        return
            except OSError:
                pass
            time.sleep(0.02)
        raise RuntimeError("the server did not answer within a minute")

    def compare_restored(self):
        """Ends the server, restores the oldest backup from which its log of rows goes to the end, and returns the differences to the database."""
        self.end(signal.SIGTERM)
        files = sorted(os.listdir(self.backups))
        previous = {}
        for name in files:
            if name.endswith(".rows"):
                with open(os.path.join(self.backups, name), "rb") as file:
                    previous[name.split("-")[1].removesuffix(".rows")] = file.readline().split()[3].decode()
        backups = {name.split("-")[1]: name for name in files if name.endswith(".sqlite")}
        found, id = None, max(previous, default=None)
        while id in previous:
            found, id = backups.get(id, found), previous[id]
        if not found:
            return ["no backup has a log of rows"]
        restored = self.data + "-restored"
        made = subprocess.run([self.binary, "restore", os.path.join(self.backups, found), "--data", restored, "--keep-tokens"], capture_output=True, text=True)
        if made.returncode:
            return [made.stderr]
        differences = [f"{table}: {len(rows)} and {len(other)} rows" for (table, rows), other in zip(self.rows(self.data).items(), self.rows(restored).values()) if rows != other]
        check = subprocess.run([self.binary, "check", "--data", restored], capture_output=True, text=True)
        return differences + ([check.stdout + check.stderr] if check.returncode else [])

    @staticmethod
    def rows(folder):
        """Returns the rows of each table but those of one file, of its clock, and of the words of the search."""
        database = sqlite3.connect(os.path.join(folder, "lectern.sqlite"))
        names = [name for name, in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
        return {name: sorted(map(repr, database.execute(f"SELECT * FROM {name}"))) for name in names if "words" not in name and name not in ("meta", "clock_marks")}

    def token(self, name, reader=None):
        """Returns an administrator's token, or a reader's, which only this command creates."""
        whose = ["--reader", reader] if reader else []
        made = subprocess.run([self.binary, "token", "create", "--name", name, "--data", self.data] + whose, capture_output=True, text=True)
        if made.returncode:
            raise RuntimeError(made.stderr)
        return made.stdout.split()[-1]

    def end(self, number):
        """Ends the server with a signal, and returns its exit code."""
        self.process.send_signal(number)
        try:
            return self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None

    def close(self):
        if self.process and self.process.poll() is None:
            self.end(signal.SIGKILL)
        self.log.close()
