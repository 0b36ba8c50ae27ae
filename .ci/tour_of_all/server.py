"""A server for one tour: fresh data, a free port, and one event loop, which sends responses after events."""

import os, shutil, socket, subprocess, tempfile, time

# Environment variables, because an older binary would refuse an unknown flag.
WATCHES_MAX = 200
SETTINGS = {"LECTERN_MAX_STREAMS_PER_READER": "500", "LECTERN_MAX_STREAMS_PER_TOKEN": str(WATCHES_MAX), "LECTERN_READ_TIMEOUT_MS": "10000",
            "LECTERN_TOKEN_RATE_PER_SECOND": "0", "LECTERN_READER_RATE_PER_SECOND": "0", "LECTERN_ADDRESS_RATE_PER_SECOND": "0"}


class RunningServer:
    def __init__(self, binary):
        self.binary, self.folder = os.path.abspath(binary), tempfile.mkdtemp(prefix="same-")
        self.data, self.log = os.path.join(self.folder, "data"), open(os.path.join(self.folder, "log"), "wb")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]

    def __enter__(self):
        command = [self.binary, "serve", "--listen", f"127.0.0.1:{self.port}", "--data", self.data, "--event-loops", "1"]
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, env={**os.environ, **SETTINGS})
        deadline = time.monotonic() + 30
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                said = open(self.log.name).read()
                self.__exit__()
                raise SystemExit(f"same: {self.binary} does not serve:\n{said}")
            time.sleep(0.02)
        return self

    def answers(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), 5) as probe:
                probe.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
                return probe.recv(64).startswith(b"HTTP/1.1 200")
        except OSError:
            return False

    def token(self, name, reader=None):
        """Returns an administrator's token, or a reader's, which only this command creates."""
        command = [self.binary, "token", "create", "--name", name, "--data", self.data] + (["--reader", reader] if reader else [])
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[-1]

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)
