"""Disturbances of watchers and the server: disconnections, stalls, floods, restarts, revoked tokens."""

import signal, time

from . import words
from .stories import Stories
from .watching import Watching

FLOOD_BOOKS = 4
PROMPT = 3
"""The seconds within which a stream must end after its access was revoked: one as promised, and some for a busy machine."""


class Disturbances(Watching, Stories):
    def disturb(self):
        r = self.random
        watch = self.any_of(self.watches)
        if not watch:
            return
        stream = watch.stream
        if not stream.is_open:
            return self.resume_some()
        if stream.is_stalled:
            stream.is_stalled = False
            self.last_actions.append(f"reads on: {watch}")
        elif r.random() < 0.3 and not watch.polls:
            stream.is_stalled = True
            self.last_actions.append(f"stalls: {watch}")
        else:
            if r.random() < 0.5:
                watch.pump(self.fetch, self.inspect, r.randint(1, 500))
            watch.cut()
            self.last_actions.append(f"cuts {watch} after {watch.cursor}")
            if r.random() < 0.06 and watch.start is not None:
                watch.cursor = watch.stream.cursor = r.choice(["nonsense", "00000000-3", f"{watch.reader.log.epoch}-99999999", "7"])
                watch.forget()
                watch.is_foreign = True

    def resume_some(self):
        for watch in list(self.watches):
            if not watch.stream.is_open and self.random.random() < 0.6:
                if watch.stream.status in (401, 403, 404) and self.random.random() < 0.4:
                    self.watches.remove(watch)
                else:
                    self.reopen(watch)

    def expect_end(self, is_meant, why):
        """Checks that the given streams end within a second, without a further event."""
        meant = [watch for watch in self.watches if watch.is_live and is_meant(watch)]
        deadline = time.monotonic() + PROMPT
        while any(watch.is_live for watch in meant) and time.monotonic() < deadline:
            self.pump(0.05)
        for watch in meant:
            if watch.is_live and not (watch.shape == "one" and watch.view is None):
                self.find("a stream outlives its right", [f"{why}, and {PROMPT} s later it is open"], str(watch))
                self.replace(watch)

    def revoke_token(self):
        reader = self.someone()
        made = self.send(reader, "POST", "/v1/tokens", {"name": "a device"})
        if not made.ok:
            return
        token = made.json["token"]
        self.add_watch(reader, "list", "book", "/v1/books", token=token)
        self.add_watch(reader, "feed", None, "/v1/changes", token=token)
        self.add_watch(reader, "list", "reading", "/v1/readings", token=token)
        self.pump(0.1)
        self.change_book()
        self.pump(0.02)
        if self.send(reader, "DELETE", f"/v1/tokens/{made.json['id']}").ok:
            self.expect_end(lambda watch: watch.token == token, "its token was revoked")

    def flood(self, count=None, size=None):
        """Makes enough changes to trim the log behind slow clients, and to fill their sockets."""
        r, ada = self.random, self.readers[0]
        count = count or r.choice([120, 250, 400, 700])
        size = size or r.choice([100, 3000, 9000])
        books = [self.send(ada, "POST", "/v1/books", {"title": f"Flood {n}"}) for n in range(FLOOD_BOOKS)]
        if not all(book.ok for book in books):
            return
        ids = [book.json["id"] for book in books]
        if r.random() < 0.8:
            for watch in r.sample(self.watches, min(3, len(self.watches))):
                if watch.is_live and not watch.polls:
                    watch.stream.is_stalled = True
                    self.last_actions.append(f"stalls: {watch}")
        made, number = [], 0
        while number < count:
            lanes = [[] for _ in ids]
            for lane, id in zip(lanes, ids):
                for _ in range(12):
                    number += 1
                    lane.append((ada, "PATCH", f"/v1/books/{id}", {"title": f"Flood {number}", "authors": [f"{number} " + "x" * 180] * (size // 190)}))
                if number < count / 2 and len(made) < 25:
                    made.append(self.uuid())
                    lane.append((ada, "PUT", f"/v1/books/{made[-1]}", {"title": words.phrase(r)}))
            self.burst(lanes)
            if r.random() < 0.9:
                for reader in self.readers:
                    reader.log.poll()
        for id in ids + made[::2]:
            self.send(ada, "DELETE", f"/v1/books/{id}")
        for id in made[1::2]:
            answer = self.send(ada, "GET", f"/v1/books/{id}")
            if answer.ok:
                self.books[id] = answer.json
        if r.random() < 0.5:
            time.sleep(1.2)
        for watch in self.watches:
            if watch.stream.is_stalled and r.random() < 0.8:
                watch.stream.is_stalled = False

    def restart(self):
        """Restarts the server, sometimes in the middle of a burst, whose outcome is then unknown."""
        r = self.random
        number = r.choice([signal.SIGTERM, signal.SIGKILL, signal.SIGKILL])
        if number == signal.SIGKILL and r.random() < 0.6 and self.books:
            ids = [self.any_book()["id"] for _ in range(3)]
            lanes = [[(self.readers[0], "PATCH", f"/v1/books/{id}", {"title": f"Killed {n}"}) for n in range(60)] for id in ids]
            sent = []

            def kill(_):
                if not sent and r.random() < 0.3:
                    sent.append(self.server.process.send_signal(number))
            self.burst(lanes, kill)
        self.last_actions.append(f"the server is ended with {number.name}")
        for watch in self.watches:
            if r.random() < 0.5:
                watch.pump(self.fetch, self.inspect)
        code = self.server.end(number)
        if number == signal.SIGTERM and code != 0:
            self.find("SIGTERM is not followed by 0", [f"it ended with {code}"])
        for watch in self.watches:
            while watch.is_live and watch.pump(lambda *_: None, self.inspect):
                pass
            watch.cut()
        self.client.close()
        self.counts["restarts"] += 1
        self.server.start()
        if number == signal.SIGKILL:
            # Otherwise the log of rows begins again only after an hour.
            self.send(self.readers[0], "POST", "/v1/admin/backups", {})
        self.resume_some()
