"""The requirements of the image, and of its container."""

import http.client, json, os, subprocess, threading, time

BYTES_MAX = 110_000_000
STOP_SECONDS_MAX = 8


def demand(is_so, what):
    if not is_so:
        raise AssertionError(what)


def described(config):
    """It has an unprivileged user, one volume, a stop signal, a health check by the binary, and labels."""
    demand(config["User"].split(":")[0] not in ("", "0", "root"), f"its user is {config['User']}")
    demand(list(config["Volumes"]) == ["/data"], f"its volumes are {config['Volumes']}")
    demand(config["StopSignal"] == "SIGTERM", f"its stop signal is {config['StopSignal']}")
    demand(config["Healthcheck"]["Test"] == ["CMD", "lectern", "health"], f"its health check is {config['Healthcheck']}")
    demand(config["Labels"]["org.opencontainers.image.licenses"] == "MIT", f"its labels are {config['Labels']}")


def size(root):
    """Checks the size of all of the image's files, each counted once."""
    count = int(subprocess.run(["du", "-sb", root], capture_output=True, text=True, check=True).stdout.split()[0])
    binary = os.path.getsize(os.path.join(root, "usr/local/bin/lectern"))
    demand(count < BYTES_MAX, f"the image has {count / 1e6:.1f} MB, {binary / 1e6:.1f} of them the binary")
    return f"the image has {count / 1e6:.1f} MB, {binary / 1e6:.1f} of them the binary"


def healthy(container):
    begin = time.monotonic()
    while not container.is_healthy():
        demand(container.process.poll() is None, f"it ended: {container.said()[-1000:]}")
        demand(time.monotonic() - begin < 30, f"it is not healthy after 30 s: {container.said()[-1000:]}")
        time.sleep(0.1)


def confined(container):
    """It has no unnecessary privileges, and writes to its volume only."""
    with open(f"/proc/{container.first()}/status") as file:
        status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
    demand(status["Uid"].split()[0] != "0" and status["NoNewPrivs"] == "1", f"it runs as {status['Uid']}")
    demand(all(int(status[kind], 16) == 0 for kind in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")), f"it has capabilities: {status['CapEff']}")
    demand(container.execute("sh", "-c", ": > /usr/local/there").returncode != 0, "its root can be written")
    demand(container.execute("sh", "-c", ": > /data/there && rm /data/there").returncode == 0, "its volume cannot be written")
    demand("lectern.sqlite" in " ".join(os.listdir(os.path.join(container.data, "lectern"))), "its data are not on the volume")


class Load:
    """Writers that record the writes with a 2xx, until the server stops answering."""

    def __init__(self, port, token, writers=16):
        self.port, self.token, self.acknowledged, self.lock = port, token, [], threading.Lock()
        self.threads = [threading.Thread(target=self.write, daemon=True) for _ in range(writers)]
        for thread in self.threads:
            thread.start()

    def write(self):
        fields = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        number = 0
        while True:
            number += 1
            try:
                connection.request("POST", "/v1/books", json.dumps({"title": f"{threading.get_ident()} {number}"}), fields)
                answer = connection.getresponse()
                body = answer.read()
            except (OSError, http.client.HTTPException):
                return
            if answer.status == 201:
                with self.lock:
                    self.acknowledged.append(json.loads(body)["id"])


def get(port, token, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        answer.read()
        return answer.status
    finally:
        connection.close()


def stopped(container):
    """SIGTERM under load: the process ends within eight seconds with code 0, and all acknowledged writes exist after the next start."""
    token = container.execute("lectern", "token", "create", "--name", "ci").stdout.strip()
    demand(token, "no token can be made in the container")
    stream = http.client.HTTPConnection("127.0.0.1", container.port, timeout=30)
    stream.request("GET", "/v1/books", headers={"Authorization": f"Bearer {token}", "Accept": "text/event-stream"})
    demand(stream.getresponse().status == 200, "no stream opens")
    load = Load(container.port, token)
    begin = time.monotonic()
    while len(load.acknowledged) < 500:
        demand(time.monotonic() - begin < 60, f"{len(load.acknowledged)} writes in a minute")
        time.sleep(0.01)
    begin = time.monotonic()
    container.stop()
    try:
        code = container.process.wait(STOP_SECONDS_MAX)
    except subprocess.TimeoutExpired:
        raise AssertionError(f"it has not stopped after {STOP_SECONDS_MAX} s")
    seconds = time.monotonic() - begin
    demand(code == 0, f"it stopped with {code}: {container.said()[-1000:]}")
    for thread in load.threads:
        thread.join(30)
    stream.close()
    container.start()
    healthy(container)
    lost = [book for book in load.acknowledged if get(container.port, token, f"/v1/books/{book}") != 200]
    demand(not lost, f"{len(lost)} of {len(load.acknowledged)} acknowledged writes are lost")
    return f"SIGTERM under load: gone after {seconds:.1f} s, none of {len(load.acknowledged)} acknowledged writes lost"
