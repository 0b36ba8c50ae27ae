"""What readers do. A refused action is no action; the model keeps what was acknowledged."""

import datetime

from . import words
from .changelog import listed

LANGUAGES = ["en", "en-GB", "es", "pt-BR", "hi", "ko", None]


class Club:
    def __init__(self, id, owner):
        self.id, self.roles = id, {owner.id: "owner"}
        self.books, self.milestones, self.meetings, self.follows, self.removed = set(), set(), set(), {}, set()
        self.current, self.is_archived, self.sees_ahead = None, False, False


class Actions:
    def prepare_model(self):
        self.books, self.notes, self.clubs, self.entries = {}, {}, {}, []

    def furnish(self):
        for _ in range(8):
            self.add_book()
        for _ in range(2):
            self.found_club()
        for reader in self.readers:
            self.begin_reading(reader)
            self.join(reader)
        for reader in self.readers:
            self.watch_feed(reader)
        for _ in range(9):
            self.watch_something()

    def step(self):
        """One thing that happens."""
        choices = {
            self.add_book: 5, self.change_book: 14, self.delete_book: 4, self.begin_reading: 5, self.change_reading: 5, self.delete_reading: 2,
            self.record_entry: 14, self.delete_entry: 2, self.found_club: 0.4, self.change_club: 4, self.delete_club: 0.3, self.join: 5,
            self.leave_club: 2, self.change_role: 3, self.change_shares: 2, self.list_book: 5, self.unlist_book: 1, self.set_milestone: 4,
            self.change_milestone: 2, self.call_meeting: 3, self.change_meeting: 2, self.attend: 3, self.read_along: 3, self.write_note: 10,
            self.change_note: 5, self.react: 4, self.rename: 2,
            self.disturb: 18, self.watch_something: 2, self.flood: 1, self.leave_and_return: 1.8, self.found_while_replaying: 1.2,
            self.update_and_delete: 2.5, self.revoke_token: 0.8, self.restart: 0.5, self.search_watch: 2, self.fail_to_read: 0.5,
        }
        if any(self.only):
            choices = {action: 30 if action.__name__ in self.only else weight for action, weight in choices.items()}
        action = self.random.choices(list(choices), list(choices.values()))[0]
        self.counts[action.__name__] += 1
        action()

    # Choosing

    def someone(self):
        return self.random.choice(self.readers)

    def any_of(self, things):
        things = list(things)
        return self.random.choice(things) if things else None

    def clubs_of(self, reader, *roles):
        return [club for club in self.clubs.values() if club.roles.get(reader.id) in (roles or ("member", "moderator", "owner"))]

    def place(self):
        """A reader and a club that they are in."""
        club = self.any_of(club for club in self.clubs.values() if club.roles)
        return (self.reader(self.any_of(club.roles)), club) if club else (None, None)

    def chair(self):
        """A club and somebody who may run it."""
        club = self.any_of(self.clubs.values())
        ids = [id for id, role in club.roles.items() if role != "member"] if club else []
        return (self.reader(self.any_of(ids)), club) if ids else (None, None)

    def any_book(self):
        return self.any_of(self.books.values())

    # Books

    def draft(self):
        r = self.random
        script = self.any_of(self.scripts()) if r.random() < 0.6 else None
        return {
            "title": words.phrase(r, script), "authors": [words.phrase(r, script, 2) for _ in range(r.randint(0, 2))],
            "pageCount": r.choice([None, 100, 250, 471]), "language": r.choice(LANGUAGES), "publishedYear": r.choice([None, 1800, 1967, 2020]),
        }

    def scripts(self):
        """Those that somebody watches a search in."""
        return [watch.script for watch in self.watches if getattr(watch, "script", None)] or ["latin"]

    def add_book(self):
        if len(self.books) > 45:
            return self.delete_book()
        reader, body = self.someone(), self.draft()
        if self.random.random() < 0.3:
            answer = self.send(reader, "PUT", f"/v1/books/{self.uuid()}", body)
        else:
            answer = self.send(reader, "POST", "/v1/books", body)
        if answer.ok:
            self.books[answer.json["id"]] = answer.json

    def change_book(self):
        book, r = self.any_book(), self.random
        if not book:
            return
        whole = self.draft()
        body = {name: whole[name] for name in r.sample(list(whole), r.randint(1, 2))}
        if r.random() < 0.1:
            body = {"title": book["title"]}
        # Whoever made it may change it; the administrator always.
        answer = self.send(self.readers[0] if r.random() < 0.6 else self.someone(), "PATCH", f"/v1/books/{book['id']}", body)
        if answer.ok:
            self.books[book["id"]] = answer.json

    def delete_book(self):
        book = self.any_book()
        if book and self.send(self.readers[0], "DELETE", f"/v1/books/{book['id']}").ok:
            del self.books[book["id"]]

    # Readings

    def begin_reading(self, reader=None):
        book, reader = self.any_book(), reader or self.someone()
        if not book:
            return None
        edition = {"pageCount": 333} if self.random.random() < 0.15 else {}
        answer = self.send(reader, "POST", "/v1/readings", {"book": book["id"], **edition})
        if answer.status in (409, 422):
            answer = self.send(reader, "POST", "/v1/readings", {"book": book["id"], "isReread": True})
        return answer.json if answer.ok else None

    def any_reading(self, reader=None):
        reader = reader or self.someone()
        return reader, self.any_of(reader.log.readings.values())

    def change_reading(self, reader=None, reading=None):
        if not reading:
            reader, reading = self.any_reading(reader)
        if not reading:
            return
        if self.random.random() < 0.15:
            self.send(reader, "PATCH", f"/v1/readings/{reading['id']}", {"pageCount": self.random.choice([120, 240, None])})
            return
        state = self.random.choice(["finished", "reading", "paused", "abandoned", "reading"])
        if state == "finished":
            self.possible.add(reader.id, reading["book"], 1)
        answer = self.send(reader, "PATCH", f"/v1/readings/{reading['id']}", {"state": state})
        if answer.ok:
            # Who reopens a finished reading is back at its latest entry.
            self.sure.forget(reader.id, reading["book"])
            self.sure.add(reader.id, reading["book"], answer.json["progress"])

    def delete_reading(self, reader=None, reading=None):
        if not reading:
            reader, reading = self.any_reading(reader)
        if reading and self.send(reader, "DELETE", f"/v1/readings/{reading['id']}").ok:
            # How far it went is forgotten with it; what it unlocked stays unlocked.
            self.sure.forget(reader.id, reading["book"])
            reader.log.poll()

    def record_entry(self, reader=None, reading=None):
        r = self.random
        if not reading:
            reader, reading = self.any_reading(reader)
        if not reading:
            return
        body = {"progress": r.choice([0, 0.1, 0.25, 0.4, 0.43, 0.5, 0.7, 0.9, 1, round(r.random(), 6)])}
        if r.random() < 0.3:
            body = {"page": r.randint(0, 100)}
        if r.random() < 0.2:
            body["happenedAt"] = self.time(-r.randint(1, 100000))
        self.possible.add(reader.id, reading["book"], body.get("progress", 1))
        answer = self.send(reader, "POST", f"/v1/readings/{reading['id']}/entries", body)
        if answer.ok:
            self.sure.add(reader.id, reading["book"], answer.json["progress"])
            self.entries.append((reader, reading, answer.json["id"]))

    def delete_entry(self):
        if self.entries:
            reader, reading, entry = self.entries.pop(self.random.randrange(len(self.entries)))
            if self.send(reader, "DELETE", f"/v1/readings/{reading['id']}/entries/{entry}").ok:
                self.sure.forget(reader.id, reading["book"])

    # Clubs

    def found_club(self):
        reader = self.someone()
        answer = self.send(reader, "POST", "/v1/clubs", {"name": words.phrase(self.random), "visibility": self.random.choice(["private", "listed"])})
        if answer.ok:
            self.clubs[answer.json["id"]] = Club(answer.json["id"], reader)

    def change_club(self, reader=None, club=None):
        r = self.random
        if not club:
            reader, club = self.chair()
        if not club:
            return
        body = r.choice([
            {"name": words.phrase(r)}, {"description": words.phrase(r)}, {"visibility": r.choice(["private", "listed"])},
            {"moderatorsSeeAhead": r.random() < 0.5}, {"countsAhead": r.random() < 0.5}, {"isArchived": True} if r.random() < 0.2 else {"isArchived": False},
        ])
        if body.get("moderatorsSeeAhead"):
            club.sees_ahead = True
            self.note_ahead(club)
        answer = self.send(reader, "PATCH", f"/v1/clubs/{club.id}", body)
        if answer.ok:
            club.sees_ahead = answer.json["moderatorsSeeAhead"]

    def note_ahead(self, club):
        """What moderators saw ahead stays in their sight, so that nothing is hidden from them for certain."""
        if club.sees_ahead:
            self.sees_ahead.update((id, club.id) for id, role in club.roles.items() if role != "member")

    def delete_club(self):
        club = self.any_of(self.clubs.values())
        for reader in self.readers:
            reader.log.poll()
        if len(self.clubs) > 2 and self.send(self.reader(self.owner(club)), "DELETE", f"/v1/clubs/{club.id}").ok:
            self.gone(club)

    def owner(self, club):
        return next(id for id, role in club.roles.items() if role == "owner")

    def gone(self, club):
        del self.clubs[club.id]
        for id in [id for id, note in self.notes.items() if note["club"] == club.id]:
            del self.notes[id]
        for id in club.roles:
            self.left(self.reader(id), club)

    def join(self, reader=None, club=None):
        """By an invitation, or by asking where the club is listed."""
        reader = reader or self.someone()
        club = club or self.any_of(club for club in self.clubs.values() if reader.id not in club.roles)
        if not club or reader.id in club.roles:
            return False
        host = self.reader(self.owner(club))
        since = self.absent.pop((reader.id, club.id), None)
        answer = None
        if reader.id in club.removed and self.random.random() < 0.7:
            self.lift_removal(host, club, reader)
        if self.random.random() < 0.7:
            invitation = self.send(host, "POST", f"/v1/clubs/{club.id}/invitations", {"usesMax": self.random.randint(1, 3)})
            if invitation.ok:
                answer = self.send(reader, "POST", "/v1/memberships", {"invitation": invitation.json["code"]})
        if not answer or not answer.ok:
            asked = self.send(reader, "POST", f"/v1/listings/{club.id}/requests", {"message": words.phrase(self.random)})
            if asked.ok:
                answer = self.send(host, "PATCH", f"/v1/clubs/{club.id}/requests/{asked.json['id']}", {"state": "accepted"})
        if answer and answer.ok:
            club.roles[reader.id] = "member"
            return True
        if since is not None:
            self.absent[reader.id, club.id] = since
        return False

    def lift_removal(self, host, club, reader):
        for removal in (listed(self.send, host, f"/v1/clubs/{club.id}/removals") or {}).values():
            if removal["reader"] == reader.id:
                self.send(host, "DELETE", f"/v1/clubs/{club.id}/removals/{removal['id']}")

    def leave_club(self, reader=None, club=None):
        """By themselves or taken out; all of the club's streams that they watch end at once."""
        if not club:
            reader, club = self.place()
        if not club:
            return
        for one in self.readers:
            one.log.poll()
        by = reader if self.random.random() < 0.7 else self.reader(self.owner(club))
        query = {"ban": "true"} if by is not reader and self.random.random() < 0.3 else None
        if self.send(by, "DELETE", f"/v1/clubs/{club.id}/members/{reader.id}", query=query).ok:
            if by is not reader:
                club.removed.add(reader.id)
            self.left(reader, club)
            del club.roles[reader.id]
            self.expect_end(lambda watch: watch.reader is reader and f"/clubs/{club.id}" in watch.path, f"{reader.name} left the club")

    def left(self, reader, club):
        reader.log.poll()
        ends = [item.seq for item in reader.log.items if item.resource == "membership" and item.id == club.id and item.change == "deleted"]
        self.absent[reader.id, club.id] = max([reader.log.head] if not reader.log.is_whole(0, reader.log.head) else ends or [reader.log.head])
        club.follows = {key: reading for key, reading in club.follows.items() if key[0] != reader.id}
        self.seen.pop((reader.id, club.id), None)

    def change_role(self, club=None, reader=None):
        club = club or self.any_of(self.clubs.values())
        if not club:
            return
        reader = reader or self.reader(self.any_of(club.roles))
        role = self.random.choice(["member", "moderator", "moderator", "owner"])
        before = dict(club.roles)
        club.roles[reader.id] = role
        self.note_ahead(club)
        club.roles = before
        if self.send(self.reader(self.owner(club)), "PATCH", f"/v1/clubs/{club.id}/members/{reader.id}", {"role": role}).ok:
            club.roles[reader.id] = role

    def change_shares(self):
        reader, club = self.place()
        if club:
            shares = self.random.choice(["exact", "exact", "milestones", "finished", "nothing"])
            self.send(reader, "PATCH", f"/v1/clubs/{club.id}/members/{reader.id}", {"shares": shares})

    def list_book(self, reader=None, club=None):
        if not club:
            reader, club = self.chair()
        book = self.any_book()
        if club and book:
            body = {"state": self.random.choice(["planned", "current", "current", "read"])}
            if self.random.random() < 0.4:
                body["place"] = self.random.randint(0, 9)
            if self.send(reader, "PUT", f"/v1/clubs/{club.id}/books/{book['id']}", body).ok:
                club.books.add(book["id"])
                club.current = book["id"] if body["state"] == "current" else None if club.current == book["id"] else club.current

    def unlist_book(self):
        reader, club = self.chair()
        book = club and self.any_of(club.books)
        if book and self.send(reader, "DELETE", f"/v1/clubs/{club.id}/books/{book}").ok:
            club.books.discard(book)
            club.follows = {key: reading for key, reading in club.follows.items() if key[1] != book}

    def time(self, seconds):
        moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
        return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03}Z"

    def soon(self):
        return self.time(self.random.choice([0.5, 1.5, 100000, 100000, -100]))

    def set_milestone(self, reader=None, club=None):
        if not club:
            reader, club = self.chair()
        book = club and self.any_of(club.books)
        if book:
            body = {"book": book, "name": words.phrase(self.random), "progress": self.random.choice([0.1, 0.25, 0.4, 0.5, 0.9, 1]), "dueAt": self.soon()}
            answer = self.send(reader, "POST", f"/v1/clubs/{club.id}/milestones", body)
            if answer.ok:
                club.milestones.add(answer.json["id"])

    def change_milestone(self):
        reader, club = self.chair()
        milestone = club and self.any_of(club.milestones)
        if not milestone:
            return
        path = f"/v1/clubs/{club.id}/milestones/{milestone}"
        if self.random.random() < 0.4:
            club.milestones.discard(milestone)
            self.send(reader, "DELETE", path)
        else:
            self.send(reader, "PATCH", path, self.random.choice([{"dueAt": self.soon()}, {"progress": 0.3}, {"name": words.phrase(self.random)}]))

    def call_meeting(self):
        reader, club = self.chair()
        if club:
            answer = self.send(reader, "POST", f"/v1/clubs/{club.id}/meetings", {"startsAt": self.soon(), "title": words.phrase(self.random)})
            if answer.ok:
                club.meetings.add(answer.json["id"])

    def change_meeting(self):
        reader, club = self.chair()
        meeting = club and self.any_of(club.meetings)
        if not meeting:
            return
        path = f"/v1/clubs/{club.id}/meetings/{meeting}"
        if self.random.random() < 0.3:
            club.meetings.discard(meeting)
            if self.send(reader, "DELETE", path).ok:
                self.expect_end(lambda watch: watch.path == path + "/attendances", "the meeting was called off")
        else:
            self.send(reader, "PATCH", path, self.random.choice([{"startsAt": self.soon()}, {"place": words.phrase(self.random)}]))

    def attend(self):
        reader, club = self.place()
        meeting = club and self.any_of(club.meetings)
        if meeting:
            self.send(reader, "PUT", f"/v1/clubs/{club.id}/meetings/{meeting}/attendance", {"answer": self.random.choice(["yes", "no", "maybe"])})

    def read_along(self):
        reader, club = self.place()
        book = club and self.any_of(club.books)
        reading = book and self.any_of(reading for reading in reader.log.readings.values() if reading["book"] == book)
        if reading:
            answer = self.send(reader, "POST", f"/v1/clubs/{club.id}/standings", {"book": book, "reading": reading["id"]})
            if answer.ok:
                club.follows[reader.id, book] = reading["id"]
        elif book and self.random.random() < 0.7:
            self.send(reader, "POST", "/v1/readings", {"book": book})

    def write_note(self, reader=None, club=None):
        r = self.random
        if not club:
            reader, club = self.place() if r.random() < 0.8 else (self.someone(), None)
        book = self.any_of(club.books) if club and club.books and r.random() < 0.7 else (self.any_book() or {}).get("id")
        if not book or not reader:
            return
        body = {"book": book, "club": club and club.id, "body": words.phrase(r), "progress": r.choice([None, 0, 0.1, 0.25, 0.43, 0.43, 0.7, 1, round(r.random(), 6)])}
        self.keep_note(self.send(reader, "POST", "/v1/notes", body))

    def keep_note(self, answer):
        if answer.ok:
            self.notes[answer.json["id"]] = answer.json

    def change_note(self):
        note = self.any_of(self.notes.values())
        if not note:
            return
        author, path = self.reader(note["author"]), f"/v1/notes/{note['id']}"
        if self.random.random() < 0.2:
            if self.send(author, "DELETE", path).ok:
                del self.notes[note["id"]]
        elif self.random.random() < 0.5:
            self.keep_note(self.send(self.someone(), "POST", path + "/replies", {"body": words.phrase(self.random)}))
        else:
            self.send(author, "PATCH", path, {"body": words.phrase(self.random)})

    def react(self):
        note = self.any_of(self.notes.values())
        if note:
            path = f"/v1/notes/{note['id']}/reactions/{self.random.choice(['like', 'love', 'sad'])}"
            self.send(self.someone(), self.random.choice(["PUT", "PUT", "DELETE"]), path)

    def rename(self):
        reader = self.someone()
        self.send(reader, "PATCH", "/v1/me", {"name": f"{reader.name} {words.phrase(self.random, most=1)}"})
