"""One way to the service: directly, or through a proxy."""

import gzip, http.client, json, re, ssl, time, urllib.parse

# The entity tag of a single resource, which If-Match accepts: the id of an event.
RESOURCE = re.compile(r'"[0-9a-f]{8}-\d+"')


class Answer:
    def __init__(self, response):
        self.status, self.fields = response.status, {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()
        if self.fields.get("content-encoding") == "gzip":
            self.body = gzip.decompress(self.body)

    @property
    def json(self):
        return json.loads(self.body)


class Way:
    def __init__(self, name, base, token):
        self.name, self.base, self.token = name, base, token
        self.url = urllib.parse.urlsplit(base)

    def connection(self, seconds=30):
        if self.url.scheme == "http":
            return http.client.HTTPConnection(self.url.hostname, self.url.port, timeout=seconds)
        return http.client.HTTPSConnection(self.url.hostname, self.url.port, timeout=seconds, context=ssl._create_unverified_context())

    def send(self, method, path, body=None, **fields):
        """Sends a request that accepts gzip, and returns the response."""
        fields = {"Authorization": f"Bearer {self.token}", "Accept-Encoding": "gzip", **{name.replace("_", "-"): value for name, value in fields.items()}}
        if body is not None:
            fields["Content-Type"] = "application/json"
        connection = self.connection()
        try:
            connection.request(method, path, None if body is None else json.dumps(body), fields)
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def made(self, path, body):
        answer = self.send("POST", path, body)
        if answer.status != 201:
            raise AssertionError(f"{self.name}: POST {path}: {answer.status} {answer.body[:300]}")
        return answer.json

    def events(self, path, token=True, seconds=60):
        """Yields a stream's events on arrival: the time, and pairs of name and data."""
        connection = self.connection(seconds)
        fields = {"Accept": "text/event-stream", "Accept-Encoding": "gzip, zstd"}
        if token:
            fields["Authorization"] = f"Bearer {self.token}"
        connection.request("GET", path, headers=fields)
        response = connection.getresponse()
        if response.status != 200 or response.getheader("Content-Encoding"):
            raise AssertionError(f"{self.name}: a stream is {response.status}, {response.getheader('Content-Encoding')}")
        name = data = None
        try:
            while line := response.readline():
                word, _, rest = line.decode().rstrip("\n").partition(": ")
                if word == "event":
                    name = rest
                elif word == "data":
                    data = rest
                elif not line.strip() and name:
                    yield time.monotonic(), name, data
                    name = data = None
        finally:
            connection.close()
