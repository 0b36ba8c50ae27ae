"""Server-sent events over a plain socket, read at once, late, a few bytes at a time, or not at all."""

import json, socket, time


class Event:
    def __init__(self, name, id, data):
        self.name, self.id, self.data = name, id, data


class Stream:
    """One connection. Its cursor is the id of the last complete event."""

    def __init__(self, port, target, token, cursor=None, receive_buffer=None, headers=""):
        self.cursor, self.events, self.status, self.is_open, self.is_stalled = cursor, [], None, True, False
        self.bytes, self.opened_at, self.ended_at = 0, time.monotonic(), None
        self.head, self.body, self.line = b"", b"", b""
        self.is_chunked, self.chunk = False, None
        self.name, self.id, self.data = "", None, []
        self.retries = 0
        request = f"GET {target} HTTP/1.1\r\nHost: oracle\r\nAuthorization: Bearer {token}\r\nAccept: text/event-stream\r\n{headers}"
        if cursor is not None:
            request += f"Last-Event-ID: {cursor}\r\n"
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(5)
        try:
            self.socket.connect(("127.0.0.1", port))
            self.socket.sendall(request.encode() + b"\r\n")
            self.socket.setblocking(False)
        except OSError:
            self.close()

    def fileno(self):
        return self.socket.fileno()

    def close(self):
        """Closes the connection and drops an incomplete event."""
        self.socket.close()
        self.is_open, self.ended_at = False, time.monotonic()

    def read(self, most=1 << 18):
        """Reads the available bytes, and returns their number."""
        try:
            data = self.socket.recv(most)
        except BlockingIOError:
            return 0
        except OSError:
            data = b""
        if not data:
            self.close()
            return 0
        self.bytes += len(data)
        if self.status is None:
            self.head += data
            head, found, data = self.head.partition(b"\r\n\r\n")
            if not found:
                return len(self.head)
            lines = head.decode().split("\r\n")
            self.status = int(lines[0].split()[1])
            self.is_chunked = any(line.lower().replace(" ", "") == "transfer-encoding:chunked" for line in lines[1:])
        if self.status != 200:
            self.close()
            return len(data)
        self.take(self.unchunked(data) if self.is_chunked else data)
        return max(1, len(data))

    def unchunked(self, data):
        """Returns the content of the chunks so far. `chunk` is the rest of the current chunk with its line end, or None before a size."""
        self.body += data
        content = []
        while self.body:
            if self.chunk is None:
                size, found, rest = self.body.partition(b"\r\n")
                if not found:
                    break
                self.body = rest
                length = int(size.split(b";")[0], 16)
                if length == 0:
                    self.take(b"".join(content))
                    self.close()
                    return b""
                self.chunk = length + 2
            piece = self.body[: self.chunk]
            content.append(piece[: max(0, self.chunk - 2)])
            self.body = self.body[len(piece):]
            self.chunk -= len(piece)
            if self.chunk == 0:
                self.chunk = None
        return b"".join(content)

    def take(self, data):
        *lines, self.line = (self.line + data).split(b"\n")
        for line in lines:
            self.take_line(line.rstrip(b"\r").decode())

    def take_line(self, line):
        if not line:
            if self.id is not None:
                self.cursor = self.id
            if self.data and self.name != "bookmark":
                self.events.append(Event(self.name or "message", self.id, json.loads("\n".join(self.data))))
            self.name, self.id, self.data = "", None, []
            return
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            self.name = value
        elif field == "id":
            self.id = value
        elif field == "data":
            self.data.append(value)
        elif field == "retry":
            self.retries += 1
