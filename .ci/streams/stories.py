"""Sequences of actions that once caused failures."""

import time

from . import words
from .locks import SECONDS, ReadLocks


class Stories:
    def leave_and_return(self):
        """A reader leaves, and returns when the club has changed: an old cursor cannot be served."""
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
        """Changes a resource that is deleted by the time of their replay."""
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
        """A feed with a long replay, while its reader joins clubs and becomes a moderator of one."""
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
        """The database becomes unreadable while notes, unlocked notes and cards are due: an error must not count as a refusal."""
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
        written = [self.send(author, "POST", "/v1/notes", {"book": book, "club": club.id, "body": "ahead", **({} if place is None else {"position": {"progress": place}})})
                   for place in [None, None] + [step / 20 for step in range(1, 20)]]
        for answer in written:
            self.keep_note(answer)
        self.settle()
        for marks in (self.possible, self.ever):
            marks.add(reader.id, book, (begun.json["id"], "lanes"), 1, 1)
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
