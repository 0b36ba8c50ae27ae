"""What happens to watchers and to the server: cuts, stalls, floods, restarts, revoked tokens, and stories that once broke it."""

import signal, time

from . import words
from .locks import SECONDS, ReadLocks
from .watcher import Watch

FLOOD_BOOKS = 4
WATCHES_MAX = 22
PROMPT = 3
"""Seconds within which a stream must end whose right is gone: one by the promise, and some for a busy machine."""


class Disturbances:
    # Watchers

    def add_watch(self, *arguments, token=None, empty_cursor=False, script=None, **options):
        if len(self.watches) >= WATCHES_MAX:
            old = self.any_of(self.watches)
            old.cut()
            self.watches.remove(old)
        self.watch_numbers += 1
        if self.random.random() < 0.2:
            options["receive_buffer"] = 4096
        watch = Watch(self.watch_numbers, *arguments, **options)
        watch.script = script
        self.watches.append(watch)
        if watch.shape == "list" and not watch.fields and self.random.random() < 0.3:
            watch.begin_with_list(self.send)
        watch.open(self.server.port, token or watch.reader.token, empty_cursor=empty_cursor)
        self.last_actions.append(f"opens {watch}" + (" at the beginning" if empty_cursor else ""))
        return watch

    def watch_feed(self, reader=None, **options):
        if "polls" not in options and not options and self.random.random() < 0.25:
            options["polls"] = True
        return self.add_watch(reader or self.someone(), "feed", None, "/v1/changes", **options)

    def limit(self):
        return self.random.choice([100, 100, 100, 3])

    def fields(self, names):
        return self.random.sample(names, self.random.randint(1, 2)) if self.random.random() < 0.25 else None

    def watch_something(self):
        r, reader = self.random, self.someone()
        choice = r.choice(["books", "search", "search", "one", "readings", "cards", "cards", "club", "club", "club", "listings", "feed", "feed"])
        if choice == "feed":
            self.watch_feed(reader, **({"empty_cursor": True} if r.random() < 0.3 else {}))
        elif choice == "search":
            self.search_watch(reader)
        elif choice == "books":
            filters = r.choice([{}, {"language": r.choice(["en", "es", "PT-br"])}, {"publishedFrom": 1900}, {"publishedFrom": 1900, "publishedTo": 2000}])
            self.add_watch(reader, "list", "book", "/v1/books", filters, fields=self.fields(["title", "pageCount", "authors"]), limit=self.limit())
        elif choice == "readings":
            self.add_watch(reader, "list", "reading", "/v1/readings", self.reading_filters(reader), fields=self.fields(["progress", "state"]), limit=self.limit())
        elif choice == "cards":
            self.add_watch(reader, "list", "card", "/v1/cards", self.reading_filters(reader), fields=self.fields(["progress", "title"]), limit=self.limit())
        elif choice == "listings":
            self.add_watch(reader, "list", "listing", "/v1/listings", limit=self.limit())
        elif choice == "one":
            self.watch_one(reader)
        else:
            self.watch_club(reader)

    def reading_filters(self, reader):
        _, reading = self.any_reading(reader)
        return self.random.choice([{}, {"state": "reading"}, {"state": "finished"}, {"book": reading["book"]} if reading else {}])

    def search_watch(self, reader=None):
        script = self.random.choice(list(words.SCRIPTS))
        text = words.query(self.random, script)
        if not any(letter.isalnum() for letter in text):
            return
        filters = {"author" if self.random.random() < 0.2 else "q": text}
        self.add_watch(reader or self.someone(), "list", "book", "/v1/books", filters, script=script, limit=self.limit())

    def watch_one(self, reader):
        _, reading = self.any_reading(reader)
        clubs = {club.id for club in self.clubs_of(reader)}
        note = self.any_of(note for note in self.notes.values() if note["club"] in clubs or note["author"] == reader.id)
        book = self.any_book()
        what = [("book", f"/v1/books/{book['id']}", book["id"])] if book else []
        if reading:
            what += [("reading", f"/v1/readings/{reading['id']}", reading["id"]), ("card", f"/v1/cards/{reading['id']}", reading["id"])]
        if note:
            what.append(("note", f"/v1/notes/{note['id']}", note["id"]))
        for club in self.clubs_of(reader)[:1]:
            what.append(("club", f"/v1/clubs/{club.id}", club.id))
            if club.meetings:
                meeting = self.any_of(sorted(club.meetings))
                what.append(("meeting", f"/v1/clubs/{club.id}/meetings/{meeting}", meeting))
        if what:
            resource, path, id = self.random.choice(what)
            fields = {"book": ["title", "pageCount"], "reading": ["progress", "page"], "card": ["title", "progress"]}.get(resource)
            self.add_watch(reader, "one", resource, path, scope={"id": id}, fields=self.fields(fields) if fields else None)

    def watch_club(self, reader, club=None):
        club = club or self.any_of(self.clubs_of(reader))
        if not club:
            return
        base, book = f"/v1/clubs/{club.id}", self.any_of(sorted(club.books))
        choice, scope = self.random.choice(["members", "books", "milestones", "standings", "standings", "meetings", "notes", "notes", "attendances"]), {"club": club.id}
        resource = {"books": "clubBook"}.get(choice, choice.rstrip("s"))
        by_book = {"book": book} if book and self.random.random() < 0.5 else {}
        if choice == "attendances":
            meeting = self.any_of(sorted(club.meetings))
            if meeting:
                self.add_watch(reader, "list", resource, f"{base}/meetings/{meeting}/attendances", scope={"meeting": meeting})
        elif choice == "standings":
            self.add_watch(reader, "list", resource, f"{base}/standings", by_book, scope=scope, implied={} if by_book else {"isCurrent": True})
        elif choice in ("milestones", "notes"):
            self.add_watch(reader, "list", resource, f"{base}/{choice}", by_book, scope=scope, limit=self.limit())
        else:
            self.add_watch(reader, "list", resource, f"{base}/{choice}", scope=scope, limit=self.limit())

    def replace(self, watch):
        """One that differs begins anew, so that it is told once."""
        watch.cut()
        watch.forget()
        watch.cursor, watch.is_foreign = None, False
        self.reopen(watch)

    def reopen(self, watch):
        self.last_actions.append(f"opens {watch} again after {watch.cursor}")
        watch.open(self.server.port, watch.reader.token, by_query=not watch.polls and self.random.random() < 0.4)

    # Disturbances

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
        """The streams that are meant end within a second, and not one event more."""
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
        """So many changes that the log is trimmed under who does not read, and that their socket is full."""
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
        """Sometimes in the middle of a burst, whose outcome nobody knows then."""
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
        self.resume_some()

    # Stories

    def leave_and_return(self):
        """The club goes on while one is away: a cursor from before cannot be served."""
        reader, club = self.place()
        if not club or club.roles[reader.id] == "owner" or club.is_archived:
            return
        self.watch_club(reader, club)
        self.watch_club(reader, club)
        self.settle()
        self.leave_club(reader, club)
        if reader.id in club.roles:
            return
        host = self.reader(self.owner(club))
        for _ in range(self.random.randint(1, 5)):
            self.random.choice([self.list_book, self.set_milestone, self.write_note, self.change_club])(host, club)
        self.rename()
        if self.join(reader, club):
            for watch in self.watches:
                if watch.reader is reader and not watch.stream.is_open and club.id in watch.path:
                    self.reopen(watch)

    def update_and_delete(self):
        """Changes of a thing that is gone by the time that they are replayed."""
        reader, reading = self.any_reading()
        if not reading:
            return
        self.add_watch(reader, "list", "card", "/v1/cards")
        self.add_watch(reader, "one", "card", f"/v1/cards/{reading['id']}", scope={"id": reading["id"]})
        self.settle()
        mine = [watch for watch in self.watches if watch.reader is reader and watch.resource in ("card", "reading")]
        for watch in mine:
            watch.cut()
        for _ in range(self.random.randint(1, 3)):
            self.record_entry(reader, reading)
            self.change_reading(reader, reading)
            self.send(self.readers[0], "PATCH", f"/v1/books/{reading['book']}", {"title": words.phrase(self.random)})
        self.delete_reading(reader, reading)
        for watch in mine:
            if watch.shape == "list" or self.random.random() < 0.5:
                self.reopen(watch)

    def found_while_replaying(self):
        """A feed that is busy with a long replay while its reader comes to clubs, and becomes a moderator in one."""
        r, reader = self.random, self.someone()
        feeds = [self.watch_feed(reader, polls=False) for _ in range(3)]
        self.settle()
        for feed in feeds:
            feed.cut()
        self.flood(min(300, self.retention // 2), 4000)
        ids = [self.uuid() for _ in range(2)]
        ada, lanes = self.readers[0], []
        for id in ids:
            lanes.append([(ada, "PUT", f"/v1/books/{id}", {"title": f"Under way {n}", "authors": ["y" * 190] * 10}) for n in range(25)])
        lanes.append([(reader, "POST", "/v1/clubs", {"name": f"While replaying {n}"}) for n in range(8)])
        club = self.any_of(club for club in self.clubs_of(reader, "member") if self.owner(club))
        if club:
            host = self.reader(self.owner(club))
            lanes.append([(host, "PATCH", f"/v1/clubs/{club.id}/members/{reader.id}", {"role": "moderator"})]
                         + [(host, "POST", f"/v1/clubs/{club.id}/invitations", {"usesMax": n + 1}) for n in range(5)])
            if club.sees_ahead:
                self.sees_ahead.add((reader.id, club.id))
        for feed in feeds:
            if feed in self.watches:
                self.reopen(feed)
        answers = self.burst(lanes)
        if club and answers[-1][0].ok:
            club.roles[reader.id] = "moderator"
        self.settle()
        for answer in answers[2]:
            if answer.ok:
                self.send(reader, "DELETE", f"/v1/clubs/{answer.json['id']}")
        for id in ids:
            self.send(ada, "DELETE", f"/v1/books/{id}")

    def fail_to_read(self):
        """The database cannot be read just when there are notes, unlocked ones and cards to tell of: an error is not a no."""
        reader, club = self.place()
        other = club and self.any_of(id for id in club.roles if id != reader.id)
        book = club and self.any_of(sorted(club.books))
        if self.has_failed or not other or not book or club.is_archived or self.until - time.monotonic() < 1.5 * SECONDS:
            return
        self.has_failed = True
        author = self.reader(other)
        begun = self.send(reader, "POST", "/v1/readings", {"book": book})
        if not begun.ok:
            return
        for one in (reader, author):
            self.add_watch(one, "list", "note", f"/v1/clubs/{club.id}/notes", scope={"club": club.id})
            self.add_watch(one, "list", "note", f"/v1/clubs/{club.id}/notes", scope={"club": club.id})
        self.add_watch(reader, "list", "card", "/v1/cards")
        self.add_watch(reader, "list", "standing", f"/v1/clubs/{club.id}/standings", scope={"club": club.id}, implied={"isCurrent": True})
        written = [self.send(author, "POST", "/v1/notes", {"book": book, "club": club.id, "progress": place, "body": "ahead"})
                   for place in [None, None] + [step / 20 for step in range(1, 20)]]
        for answer in written:
            self.keep_note(answer)
        self.settle()
        self.possible.add(reader.id, book, 1)
        lanes = [[(author, "PATCH", f"/v1/notes/{note.json['id']}", {"body": f"again {n}"}) for n in range(150)] for note in written[:2] if note.ok]
        lanes.append([(reader, "POST", f"/v1/readings/{begun.json['id']}/entries", {"progress": step / 20}) for step in range(1, 20) for _ in range(4)])
        lanes.append([(self.readers[0], "PATCH", f"/v1/books/{book}", {"title": f"Title {n}"}) for n in range(60)])
        locks = ReadLocks(self.server.data)
        asked, enough = [], self.random.randint(20, 250)

        def meanwhile(answered):
            self.pump(0)
            if not asked and answered > enough:
                asked.append(locks.hold())
        self.burst(lanes, meanwhile)
        self.counts["locked out"] += bool(asked and asked[0])
        self.last_actions.append(f"the database could not be read for {SECONDS} s")
