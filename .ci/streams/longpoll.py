"""A feed through long polls, with the interface of a stream."""

import json, socket, time

from .sse import Event

WAIT = 20


class LongPoll:
    def __init__(self, port, path, token, cursor):
        self.cursor, self.events, self.status, self.is_open, self.is_stalled = cursor, [], None, True, False
        self.path, self.token, self.received = path, token, b""
        self.begins_again, self.ended_at = cursor is None, None
        self.socket = socket.socket()
        self.socket.settimeout(5)
        try:
            self.socket.connect(("127.0.0.1", port))
            self.socket.setblocking(False)
            self.ask()
        except OSError:
            self.close()

    def fileno(self):
        return self.socket.fileno()

    def close(self):
        self.socket.close()
        self.is_open, self.ended_at = False, time.monotonic()

    def ask(self):
        query = "" if self.begins_again else f"?after={self.cursor}"
        wait = "" if self.begins_again else f"Prefer: wait={WAIT}\r\n"
        self.socket.sendall(f"GET {self.path}{query} HTTP/1.1\r\nHost: oracle\r\nAuthorization: Bearer {self.token}\r\n{wait}\r\n".encode())

    def read(self, most=1 << 18):
        try:
            data = self.socket.recv(most)
            if not data:
                self.close()
                return 0
            self.received += data
            head, found, body = self.received.partition(b"\r\n\r\n")
            lines = head.decode().lower().split("\r\n")
            length = next((int(line.split(":")[1]) for line in lines if line.startswith("content-length:")), 0)
            if found and len(body) >= length:
                self.received = body[length:]
                self.take(int(lines[0].split()[1]), body[:length])
        except BlockingIOError:
            return 0
        except OSError:
            self.close()
            return 0
        return len(data)

    def take(self, status, body):
        if status == 409:
            # Start again from the current state: an empty beginning could mean the oldest change or the current state.
            self.begins_again = True
            self.events.append(Event("reset", None, {"reason": "409"}))
            return self.ask()
        self.status = status
        if status != 200:
            return self.close()
        page = json.loads(body)
        if self.begins_again:
            self.begins_again = False
            self.cursor = f"{page['next'].split('-')[0]}-{page['seq']}"
            self.events.append(Event("snapshot", self.cursor, {"seq": page["seq"]}))
        else:
            for item in page["items"]:
                self.events.append(Event(item["change"], None, item))
            self.cursor = page["next"]
        self.ask()
