"""HTTP as bytes: the responses as sent, not as a library interprets them."""

import json, select, socket, time


class Answer:
    def __init__(self, head, body):
        self.lines, self.body = head.decode().split("\r\n"), body
        self.status = int(self.lines[0].split()[1])
        self.fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in self.lines[1:])}

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def id(self):
        return self.json["id"]

    @property
    def etag(self):
        return self.fields.get("etag", '"none"')


def head(method, target, fields):
    return "".join([f"{method} {target} HTTP/1.1\r\n", *(f"{name}: {value}\r\n" for name, value in fields), "\r\n"]).encode()


class Wire:
    """A connection that is kept as long as the server keeps it."""

    def __init__(self, port):
        self.port, self.socket = port, None

    def send(self, request, is_bodiless=False):
        if self.socket is None:
            self.socket = socket.create_connection(("127.0.0.1", self.port), 30)
        self.socket.sendall(request)
        received = b""
        while b"\r\n\r\n" not in received:
            received += self.more()
        top, _, body = received.partition(b"\r\n\r\n")
        answer = Answer(top, b"")
        if not is_bodiless and answer.status not in (204, 304):
            while len(body) < int(answer.fields.get("content-length", 0)):
                body += self.more()
            is_chunked = "transfer-encoding" in answer.fields and not answer.fields.get("content-type", "").startswith("text/event-stream")
            while is_chunked and not body.endswith(b"0\r\n\r\n"):
                body += self.more()
        answer.body = body
        if answer.fields.get("connection") == "close" or "transfer-encoding" in answer.fields:
            self.close()
        return answer

    def more(self):
        data = self.socket.recv(262144)
        if not data:
            self.close()
            raise ConnectionError("the connection ended within an answer")
        return data

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket = None


class Stream:
    """An open stream, or a waiting poll, with its received bytes."""

    def __init__(self, port, request, label, title):
        self.label, self.title = label, title
        self.received, self.is_open, self.ending = b"", True, None
        self.socket = socket.create_connection(("127.0.0.1", port), 30)
        self.socket.sendall(request)
        self.socket.setblocking(False)

    def fileno(self):
        return self.socket.fileno()

    def read(self):
        try:
            data = self.socket.recv(262144)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self.received += data
        if not data:
            self.close()

    def close(self):
        self.socket.close()
        self.is_open = False

    def wait(self, condition, seconds):
        """Reads until the condition holds, the stream ends or time is up. Returns whether the condition holds."""
        deadline = time.monotonic() + seconds
        while not condition(self) and self.is_open and time.monotonic() < deadline:
            if select.select([self], [], [], max(0, deadline - time.monotonic()))[0]:
                self.read()
        return condition(self)

    @property
    def head(self):
        top, found, _ = self.received.partition(b"\r\n\r\n")
        return Answer(top, b"") if found else None

    @property
    def content(self):
        """Returns the body so far, without chunk sizes, and whether it is complete."""
        body, answer, pieces = self.received.partition(b"\r\n\r\n")[2], self.head, []
        if answer is None or "transfer-encoding" not in answer.fields:
            return body, not self.is_open or answer is not None and len(body) >= int(answer.fields.get("content-length", 0))
        while b"\r\n" in body:
            size, _, rest = body.partition(b"\r\n")
            length = int(size, 16)
            if length == 0:
                return b"".join(pieces), True
            pieces.append(rest[:length])
            body = rest[length + 2:]
        return b"".join(pieces), False

    @property
    def events(self):
        """Returns the complete events without the random parts: `retry`, comments and bookmarks."""
        blocks = self.content[0].decode(errors="replace").split("\n\n")[:-1]
        told = ["\n".join(line for line in block.split("\n") if not line.startswith((":", "retry:"))) for block in blocks]
        return [block for block in told if ("event:" in block or "data:" in block) and "event: bookmark" not in block]
