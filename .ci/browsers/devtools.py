"""A browser page that is controlled over the debugging port, with the required part of WebSocket (RFC 6455)."""

import base64, json, os, socket, struct, urllib.parse


class Page:
    def __init__(self, address):
        url = urllib.parse.urlsplit(address)
        self.socket = socket.create_connection((url.hostname, url.port), 30)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET {url.path} HTTP/1.1\r\nHost: {url.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.bytes, self.last, self.events = b"", 0, []
        while b"\r\n\r\n" not in self.bytes:
            self.bytes += self.more()
        head, self.bytes = self.bytes.split(b"\r\n\r\n", 1)
        if not head.startswith(b"HTTP/1.1 101"):
            raise RuntimeError(f"the browser refuses: {head!r}")

    def call(self, method, **parameters):
        """Calls a method of the browser and waits for its result; events in between are kept."""
        self.last += 1
        self.send(json.dumps({"id": self.last, "method": method, "params": parameters}).encode())
        while True:
            message = json.loads(self.message())
            if message.get("id") == self.last:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def evaluate(self, expression):
        """Returns the value of a JavaScript expression, or of its promise."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"])[:500])
        return result["result"].get("value")

    def send(self, payload):
        mask = os.urandom(4)
        count = len(payload)
        length = bytes([0x80 | count]) if count < 126 else struct.pack("!BH", 0x80 | 126, count) if count < 65536 else struct.pack("!BQ", 0x80 | 127, count)
        self.socket.sendall(b"\x81" + length + mask + bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload)))

    def message(self):
        """Returns the next message, which may have several frames."""
        whole = b""
        while True:
            first, count = self.take(2)
            count &= 0x7F
            if count == 126:
                count, = struct.unpack("!H", self.take(2))
            elif count == 127:
                count, = struct.unpack("!Q", self.take(8))
            payload = self.take(count)
            if first & 0x0F == 8:
                raise RuntimeError("the browser closed the page")
            if first & 0x0F > 2:
                continue
            whole += payload
            if first & 0x80:
                return whole

    def take(self, count):
        while len(self.bytes) < count:
            self.bytes += self.more()
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken

    def more(self):
        some = self.socket.recv(65536)
        if not some:
            raise RuntimeError("the browser is gone")
        return some

    def close(self):
        self.socket.close()
