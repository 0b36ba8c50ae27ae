"""The chapters of the proxies' test, in order. Each gets the server with its routes through proxies, its folder and its data."""

import itertools, os, re, subprocess, threading, time

from .way import RESOURCE

STEPS = 50
# Notes of ten thousand characters each: more than ten megabytes.
NOTES = 1100


def demand(is_so, what):
    if not is_so:
        raise AssertionError(what)


def protocol(server):
    """Browsers get HTTP/2, which they need for many streams."""
    for way in server.behind:
        said = subprocess.run(["curl", "-sk", "--http2", "-o", "/dev/null", "-w", "%{http_version} %{http_code}", way.base + "/healthz"], capture_output=True, text=True).stdout
        demand(said == "2 200", f"{way.name} answers {said}")


def editing(server):
    """A GET, and a PATCH with its ETag; an outdated ETag is refused."""
    for way in server.behind:
        path = f"/v1/books/{server.book}"
        read = way.send("GET", path)
        tag = read.fields.get("etag", "")
        demand(read.status == 200 and RESOURCE.fullmatch(tag), f"{way.name}: {read.status} {tag}")
        first = way.send("PATCH", path, {"title": f"By {way.name}"}, If_Match=tag)
        demand(first.status == 200 and first.json["title"] == f"By {way.name}", f"{way.name}: {first.status} {first.body}")
        demand(way.send("PATCH", path, {"title": "Again"}, If_Match=tag).status == 412, f"{way.name}: what has moved is written")
        demand(way.send("GET", path, If_None_Match=first.fields["etag"]).status == 304, f"{way.name}: what is known comes again")


def packing(server):
    """All readable paths: responses with a resource's ETag keep it and are not compressed; long lists and documents are compressed."""
    packed = set()
    for path in server.paths():
        plain = server.direct.send("GET", path)
        if plain.status != 200:
            continue
        for way in server.behind:
            answer = way.send("GET", path)
            if RESOURCE.fullmatch(plain.fields.get("etag", "")):
                demand("content-encoding" not in answer.fields and answer.fields.get("etag") == plain.fields["etag"], f"{way.name} packs {path}")
            if answer.fields.get("content-encoding"):
                packed.add((way.name, path))
                tag = answer.fields.get("etag")
                demand(not tag or way.send("GET", path, If_None_Match=tag).status == 304, f"{way.name}: {path} comes again though it is known")
    for way in server.behind:
        for path in ("/openapi.yaml", "/v1/books?limit=100", "/v1/notes?limit=100", "/v1/changes?after="):
            demand((way.name, path) in packed, f"{way.name} does not pack {path}")


def stepping(server):
    """Each event arrives before the next is written: no proxy buffers events."""
    for way in server.behind:
        stream = server.direct.made("/v1/streams", {"watch": {"entries": f"/v1/readings/{server.reading}/entries"}})
        server.secrets.append(stream["url"].partition("secret=")[2])
        for path, token in ((f"/v1/readings/{server.reading}/entries", True), (stream["url"], False)):
            events = way.events(path, token)
            first = next(events)
            slowest = 0
            for number in range(STEPS):
                begin = time.monotonic()
                entry = server.direct.made(f"/v1/readings/{server.reading}/entries", {"page": 1 + number})["id"]
                at = next(at for at, _, data in events if data and entry in data)
                slowest = max(slowest, at - begin)
            events.close()
            demand(slowest < 5, f"{way.name}: an event took {slowest:.1f} s")
            server.say(f"{way.name}: {STEPS} events one by one, the slowest {slowest * 1000:.0f} ms, after {first[1]}")


def flooding(server):
    """Ten megabytes of events through each proxy at once, while they are written: each arrives once and in order."""
    written, seen, bytes_of = [], {way.name: [] for way in server.behind}, dict.fromkeys((way.name for way in server.behind), 0)
    lags = {way.name: 0 for way in server.behind}

    cursor = server.direct.send("GET", "/v1/changes?limit=1").json["head"]

    def follow(way):
        for at, _, data in way.events(f"/v1/changes?after={cursor}"):
            bytes_of[way.name] += len(data)
            for number in re.findall(r"Number (\d+)\.", data):
                seen[way.name].append(int(number))
                lags[way.name] = max(lags[way.name], at - written[int(number)] if int(number) < len(written) else 0)
            if seen[way.name] and seen[way.name][-1] == NOTES - 1:
                return

    threads = [threading.Thread(target=follow, args=(way,), daemon=True) for way in server.behind]
    for thread in threads:
        thread.start()
    begin = time.monotonic()
    for number in range(NOTES):
        server.direct.made("/v1/notes", {"book": server.book, "position": {"progress": 0.1}, "body": f"Number {number}. ".ljust(9999, "x") + "!"})
        written.append(time.monotonic())
    for thread in threads:
        thread.join(60)
    for way in server.behind:
        demand(seen[way.name] == list(range(NOTES)), f"{way.name}: {len(seen[way.name])} of {NOTES} notes were told, or not in order")
        demand(bytes_of[way.name] > 10_000_000, f"{way.name}: {bytes_of[way.name]} bytes")
        server.say(f"{way.name}: {bytes_of[way.name] / 1e6:.1f} MB of events in {time.monotonic() - begin:.0f} s, at most {lags[way.name] * 1000:.0f} ms behind their answers")


def unlogged(server):
    """No log contains the secret of a stream or a calendar, even if the server did not answer."""
    calendar = server.direct.made(f"/v1/clubs/{server.club}/calendars", {})["path"]
    server.secrets.append(calendar.rpartition("/")[2])
    for way, path in itertools.product(server.behind, [calendar, "/v1/books?q=unheard-of-words"]):
        demand(way.send("GET", path).status == 200, f"{way.name}: {path}")
    server.server.process.kill()
    server.server.process.wait()
    for way in server.behind:
        demand(way.send("GET", calendar).status in (502, 503, 504), f"{way.name} answers for a service that is gone")
    for folder, _, files in os.walk(server.folder):
        for name in files:
            if folder.endswith("data"):
                continue
            with open(os.path.join(folder, name), "rb") as file:
                text = file.read()
            demand(not any(secret.encode() in text for secret in server.secrets if secret), f"{name} has a secret in it")
            demand(b"unheard-of-words" not in text, f"{name} has what was searched for")
    server.say("no log has a secret in it")


ALL = [protocol, editing, packing, stepping, flooding, unlogged]
