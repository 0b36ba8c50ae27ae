"""The story's chapters, in order. Each leaves the server running."""

import json, os, shutil, signal, time

from .story import AWAY_SECONDS, HEARTBEAT_SECONDS, PROXY_SECONDS


def opened(story):
    story.write()
    story.compare("a fresh stream", opens=1)


def written(story):
    """Pages of the other origin send CORS preflights, read and write a reading, and read the fields that they need for that."""
    for name, base in story.ways.items():
        said = story.pages[f"{name}, other origin"].evaluate(f"""(async () => {{
            const ask = async (method, fields, body) => {{
                const answer = await fetch({json.dumps(base + story.watch["book"])}, {{
                    method, body, headers: {{Authorization: 'Bearer {story.token}', 'Content-Type': 'application/json', ...fields}}}});
                return [answer.status, answer.headers.get('ETag'), answer.headers.get('Lectern-Unchanged')];
            }};
            const [, tag] = await ask('GET', {{}});
            const first = await ask('PATCH', {{'If-Match': tag}}, '{{"title":"By {name}"}}');
            return [first, await ask('PATCH', {{'If-Match': tag}}, '{{"title":"Again"}}'), await ask('PATCH', {{'If-Match': first[1]}}, '{{"title":"By {name}"}}')];
        }})()""")
        if [answer[0] for answer in said] != [200, 412, 200] or not all(answer[1] for answer in said) or said[2][2] != "true":
            raise AssertionError(f"a page of the other origin cannot write: {name}: {said}")
    story.compare("pages of another origin write with If-Match")


def foreign(story):
    """A page of an origin that is not allowed can read nothing, over any way."""
    for name in story.ways:
        page = story.follow(name, story.other.replace("localhost", "127.0.0.1") + "/", story.stream())
        begin = time.monotonic()
        while not page.evaluate("view.isClosed"):
            if time.monotonic() - begin > 30:
                raise AssertionError(f"a page of another origin is not refused: {name}")
            time.sleep(0.1)
        if page.evaluate("view.opens || Object.keys(view.values).length"):
            raise AssertionError(f"a page of another origin reads a stream: {name}")
        page.close()
    story.say("an origin that is not allowed: nothing opens")


def killed(story):
    """kill -9, ten seconds of 502, and a restart; pages receive a write right after it."""
    story.write()
    story.stop(signal.SIGKILL)
    time.sleep(AWAY_SECONDS)
    story.start()
    story.write()
    story.compare("kill -9 and a restart after 10 s", opens=2)


def drained(story):
    """A graceful stop and a restart, three times."""
    for _ in range(3):
        story.write(2)
        story.stop(signal.SIGTERM)
        story.start()
        story.write(2)
    story.compare("drained restarts", opens=3)


def silent(story):
    """Silence for longer than every timeout on the way."""
    before = {name: view["opens"] for name, view in story.views().items()}
    time.sleep(max(3 * PROXY_SECONDS, HEARTBEAT_SECONDS) + PROXY_SECONDS)
    cut = [name for name, view in story.views().items() if view["opens"] > before[name]]
    behind = [name for name in before if not name.startswith("direct")]
    if cut != behind:
        raise AssertionError(f"silence was to cut {behind}, and cut {cut}")
    story.write()
    story.compare("a silence longer than every timeout")


def restored(story):
    """A backup is restored: later writes are gone, and every page starts again."""
    story.stop(signal.SIGTERM)
    backup = os.path.join(story.folder, "backup")
    shutil.copytree(story.server.data, backup)
    story.start()
    story.write()
    story.compare("before the reset")
    resets = {name: view["resets"] for name, view in story.views().items()}
    story.stop(signal.SIGKILL)
    shutil.rmtree(story.server.data)
    shutil.copytree(backup, story.server.data)
    story.start()
    story.compare("a reset", resets=1)
    if any(view["resets"] <= resets[name] for name, view in story.views().items()):
        raise AssertionError("a page was not told of the reset")
    story.write()
    story.compare("after the reset")


def revoked(story):
    """Revoking the token ends all of its streams for good."""
    begin = time.monotonic()
    story.send("DELETE", f"/v1/tokens/{story.page_token['id']}")
    while not all(view["isClosed"] for view in story.views().values()):
        if time.monotonic() - begin > 30:
            raise AssertionError("streams go on after their token's end: " + ", ".join(n for n, v in story.views().items() if not v["isClosed"]))
        time.sleep(0.1)
    # Streams behind the proxies may have been closed at that moment.
    if any(view["end"] != "tokenRevoked" for name, view in story.views().items() if name.startswith("direct")):
        raise AssertionError("a page was not told why its stream ended")
    story.say(f"a revoked token: all pages have stopped for good, {time.monotonic() - begin:.1f} s after")


def unlogged(story):
    """No log contains a stream's secret."""
    for folder, _, files in os.walk(story.folder):
        if "profile" in folder or "data" in folder:
            continue
        for name in files:
            with open(os.path.join(folder, name), "rb") as file:
                text = file.read()
            if any(secret.encode() in text for secret in story.secrets):
                raise AssertionError(f"{name} has a stream's secret in it")
    story.say("no log has a secret in it")


ALL = [opened, written, foreign, killed, drained, silent, restored, revoked, unlogged]
