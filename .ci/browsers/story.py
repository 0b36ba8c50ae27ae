"""The setup of a server whose state pages follow. After each chapter every page must show the server's state."""

import http.server, json, os, signal, threading, time

from streams.client import Client
from streams.server import Server

from . import proxies
from .chromium import Chromium

HERE = os.path.dirname(os.path.abspath(__file__))
# The seconds after which a proxy closes a silent stream; the heartbeats are further apart.
PROXY_SECONDS = 4
HEARTBEAT_SECONDS = 30
AWAY_SECONDS = 10


class Blank(http.server.BaseHTTPRequestHandler):
    """The server of another origin's pages, which are empty."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", "16")
        self.end_headers()
        self.wfile.write(b"<!doctype html>\n")

    def log_message(self, *_):
        pass


class Story:
    def __init__(self, binary, folder, say):
        self.folder, self.say, self.closing, self.secrets = folder, say, [], []
        other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Blank)
        threading.Thread(target=other.serve_forever, daemon=True).start()
        self.closing.append(other.shutdown)
        self.other = f"http://localhost:{other.server_port}"
        self.server = Server(binary, folder, 100_000, ["--allow-origin", self.other])
        self.server.start()
        self.closing.append(self.server.close)
        self.token = self.server.token("browser")
        self.client = Client(self.server.port)
        self.ways = {"direct": f"http://127.0.0.1:{self.server.port}"}
        proxies.certify(folder)
        for name, make in (("nginx", proxies.nginx), ("caddy", proxies.caddy)):
            proxy = make(folder, Server.free_port(), self.server.port, self.other, PROXY_SECONDS)
            self.ways[name] = f"https://127.0.0.1:{proxy.port}"
            self.closing.append(proxy.close)

    def send(self, method, path, body=None, token=None):
        answer = self.client.send(token or self.token, method, path, body)
        if not answer.ok:
            raise RuntimeError(f"{method} {path}: {answer.status} {answer.json}")
        return answer.json

    def stop(self, number):
        code = self.server.end(number)
        if number == signal.SIGTERM and code != 0:
            raise AssertionError(f"the server ended with {code}")

    def start(self):
        self.server.start()
        self.client.close()

    def furnish(self):
        """Creates the resources to watch: a reading, a book, and lists of several kinds."""
        self.book = self.send("POST", "/v1/books", {"title": "Kindred", "pageCount": 300})["id"]
        self.reading = self.send("POST", "/v1/readings", {"book": self.book})["id"]
        self.watch = {"reading": f"/v1/readings/{self.reading}", "book": f"/v1/books/{self.book}", "entries": f"/v1/readings/{self.reading}/entries",
                      "notes": "/v1/notes", "shelf": "/v1/readings?state=reading"}
        self.written = 0

    def write(self, count=5):
        """Makes changes that appear on every page, one after the other."""
        for _ in range(count):
            self.written += 1
            self.send("POST", f"/v1/readings/{self.reading}/entries", {"progress": self.written % 100 / 100})
            self.send("PATCH", f"/v1/books/{self.book}", {"title": f"Kindred, {self.written}"})
            self.send("POST", "/v1/notes", {"book": self.book, "body": f"note {self.written}"})
            entries = self.send("GET", self.watch["entries"])["items"]
            if len(entries) > 8:
                self.send("DELETE", f"{self.watch['entries']}/{entries[-1]['id']}")
            notes = self.send("GET", "/v1/notes")["items"]
            if len(notes) > 8:
                self.send("DELETE", f"/v1/notes/{notes[-1]['id']}")

    def open(self):
        """Opens a page for each way to the server, from the way's own origin and from the other one, each with its own stream."""
        self.browser = Chromium(self.folder)
        self.closing.append(self.browser.close)
        self.say(f"{self.browser.version()}, as it is")
        self.page_token = self.send("POST", "/v1/tokens", {"name": "pages", "scope": "read"})
        self.pages = {}
        for name, base in self.ways.items():
            self.pages[f"{name}, own origin"] = self.follow(name, base + "/healthz", self.stream())
            self.pages[f"{name}, other origin"] = self.follow(name, self.other + "/", self.stream())
        self.closing.append(lambda: [page.close() for page in self.pages.values()])

    def stream(self):
        """Returns the URL of a new stream."""
        url = self.send("POST", "/v1/streams", {"watch": self.watch, "heartbeat": HEARTBEAT_SECONDS}, self.page_token["token"])["url"]
        self.secrets.append(url.partition("secret=")[2])
        return url

    def follow(self, way, address, url):
        """Opens a page at an address that follows a stream over a way."""
        page = self.browser.open(address)
        with open(os.path.join(HERE, "follow.js")) as file:
            page.evaluate(file.read())
        page.evaluate(f"follow({json.dumps(self.ways[way] + url)})")
        return page

    def state(self):
        """Returns the server's state, in the form in which a page keeps it."""
        values = {name: self.send("GET", path) for name, path in self.watch.items()}
        return {name: {item["id"]: item for item in value["items"]} if "items" in value else value for name, value in values.items()}

    def views(self):
        return {name: page.evaluate("view") for name, page in self.pages.items()}

    def compare(self, what, seconds=60, **least):
        """Waits until every page shows the server's state and has counted enough events; reports the pages that do not."""
        begin, state = time.monotonic(), self.state()
        while True:
            views = self.views()
            wrong = [name for name, view in views.items()
                     if view["values"] != state or view["isClosed"] or any(view[key] < count for key, count in least.items())]
            if not wrong:
                return self.say(f"{what}: {len(views)} pages show what the server has, {time.monotonic() - begin:.1f} s after it was there")
            if time.monotonic() - begin > seconds:
                for name in wrong:
                    view = views[name]
                    differing = [key for key in state if view["values"].get(key) != state[key]]
                    self.say(f"  {name}: differs in {differing}; " + ", ".join(f"{key} {view[key]}" for key in view if key != "values"))
                raise AssertionError(f"{what}: {', '.join(wrong)}")
            time.sleep(0.1)

    def close(self):
        for close in reversed(self.closing):
            try:
                close()
            except Exception as error:
                self.say(f"  at the end: {error}")
