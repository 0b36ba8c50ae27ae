"""A client that sends one request after the other, or pipelines many over a few connections."""

import http.client, json, select, socket, time, urllib.parse

JSON = "application/json"


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers = status, headers
        self.json = json.loads(body) if body and headers.get("content-type", "").startswith(("application/json", "application/problem")) else None

    @property
    def ok(self):
        return 200 <= self.status < 300

    @property
    def unchanged(self):
        return self.headers.get("lectern-unchanged") == "true"


def target(path, query=None):
    return path + ("?" + urllib.parse.urlencode(query) if query else "")


class Client:
    """A client. The `status` 0 means that the outcome is unknown: the connection ended before the response."""

    def __init__(self, port):
        self.port, self.connection = port, None

    def send(self, token, method, path, body=None, query=None, headers=None):
        fields = {"Authorization": f"Bearer {token}", **(headers or {})}
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            fields["Content-Type"] = JSON
        for attempt in (1, 2):
            fresh = self.connection is None
            if fresh:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
            try:
                self.connection.request(method, target(path, query), data, fields)
                answer = self.connection.getresponse()
                content = answer.read()
                if answer.will_close:
                    self.close()
                result = Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, content)
                if result.status == 429 and method == "GET" and attempt == 1:
                    # A comparison reads more than a reader may; a refused read must not count as an empty one.
                    time.sleep(int(result.headers.get("retry-after", 1)))
                    continue
                return result
            except (OSError, http.client.HTTPException):
                self.close()
                if fresh or method != "GET":
                    return Answer(0, {}, b"")
        return Answer(0, {}, b"")

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def burst(self, lanes, meanwhile):
        """Pipelines each lane's requests over a separate connection, and returns the responses of each. `meanwhile` is called repeatedly
        with the number of responses so far."""
        return Burst(self.port, lanes).run(meanwhile)


class Burst:
    def __init__(self, port, lanes):
        self.lanes = [Lane(port, requests) for requests in lanes]

    def run(self, meanwhile):
        open_lanes = [lane for lane in self.lanes if lane.socket]
        while open_lanes:
            readable, writable, _ = select.select(open_lanes, [lane for lane in open_lanes if lane.unsent], [], 30)
            if not readable and not writable:
                break
            for lane in writable:
                lane.write()
            for lane in readable:
                lane.read()
            open_lanes = [lane for lane in open_lanes if lane.socket]
            meanwhile(sum(lane.answered for lane in self.lanes))
        for lane in open_lanes:
            lane.close()
        return [lane.answers for lane in self.lanes]


class Lane:
    def __init__(self, port, requests):
        self.answers, self.answered = [Answer(0, {}, b"") for _ in requests], 0
        self.unsent = b"".join(self.encoded(*request) for request in requests)
        self.received = b""
        try:
            self.socket = socket.create_connection(("127.0.0.1", port), 5)
            self.socket.setblocking(False)
        except OSError:
            self.socket = None

    @staticmethod
    def encoded(token, method, path, body=None, query=None):
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {target(path, query)} HTTP/1.1\r\nHost: oracle\r\nAuthorization: Bearer {token}\r\n"
        if body is not None:
            head += f"Content-Type: {JSON}\r\nContent-Length: {len(data)}\r\n"
        return head.encode() + b"\r\n" + data

    def fileno(self):
        return self.socket.fileno()

    def close(self):
        self.socket.close()
        self.socket = None

    def write(self):
        try:
            self.unsent = self.unsent[self.socket.send(self.unsent[:65536]):]
        except BlockingIOError:
            pass
        except OSError:
            self.close()

    def read(self):
        try:
            data = self.socket.recv(262144)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            return self.close()
        self.received += data
        while self.answered < len(self.answers):
            head, found, rest = self.received.partition(b"\r\n\r\n")
            if not found:
                return
            lines = head.decode().split("\r\n")
            fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
            length = int(fields.get("content-length", 0))
            if len(rest) < length:
                return
            self.answers[self.answered] = Answer(int(lines[0].split()[1]), fields, rest[:length])
            self.answered += 1
            self.received = rest[length:]
        self.close()
