"""Actions on readings, entries, notes, reactions and readers' names."""

from . import words


class Readings:
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
        at = reader.id, reading["book"], (reading["id"], "finished")
        if state == "finished":
            for marks in (self.possible, self.ever):
                marks.add(*at, 1)
        else:
            self.sure.drop(*at)
        answer = self.send(reader, "PATCH", f"/v1/readings/{reading['id']}", {"state": state})
        if answer.ok and answer.json["isFinished"]:
            self.sure.add(*at, 1)
        elif answer.ok:
            self.possible.drop(*at)

    def delete_reading(self, reader=None, reading=None):
        if not reading:
            reader, reading = self.any_reading(reader)
        if reading:
            self.sure.drop_reading(reader.id, reading["book"], reading["id"])
        if reading and self.send(reader, "DELETE", f"/v1/readings/{reading['id']}").ok:
            for marks in (self.sure, self.possible):
                marks.drop_reading(reader.id, reading["book"], reading["id"])
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
        self.may_reach(reader, reading, body)
        answer = self.send(reader, "POST", f"/v1/readings/{reading['id']}/entries", body)
        if answer.ok:
            self.has_reached(reader, reading, body, answer.json)
        elif 400 <= answer.status < 500:
            self.possible.drop(reader.id, reading["book"], (reading["id"], str(body)))

    def may_reach(self, reader, reading, body):
        """Records that an entry was requested; its outcome is unknown."""
        for marks in (self.possible, self.ever):
            marks.add(reader.id, reading["book"], (reading["id"], str(body)), body.get("progress", 1), body.get("progress", 0))

    def has_reached(self, reader, reading, body, entry):
        """Records that an entry was created. A page is in another scale than progress."""
        self.possible.drop(reader.id, reading["book"], (reading["id"], str(body)))
        for marks in (self.possible, self.sure):
            marks.add(reader.id, reading["book"], (reading["id"], entry["id"]), entry["progress"], body.get("progress", 0))
        self.entries.append((reader, reading, entry["id"]))

    def delete_entry(self):
        if self.entries:
            reader, reading, entry = self.entries.pop(self.random.randrange(len(self.entries)))
            at = reader.id, reading["book"], (reading["id"], entry)
            self.sure.drop(*at)
            if self.send(reader, "DELETE", f"/v1/readings/{reading['id']}/entries/{entry}").ok:
                self.possible.drop(*at)

    def write_note(self, reader=None, club=None):
        r = self.random
        if not club:
            reader, club = self.place() if r.random() < 0.8 else (self.someone(), None)
        book = self.any_of(club.books) if club and club.books and r.random() < 0.7 else (self.any_book() or {}).get("id")
        if not book or not reader:
            return
        place = r.choice([None, 0, 0.1, 0.25, 0.43, 0.43, 0.7, 1, round(r.random(), 6)])
        body = {"book": book, "club": club and club.id, "body": words.phrase(r), **({} if place is None else {"position": {"progress": place}})}
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
            self.keep_note(self.send(self.someone(), "POST", "/v1/notes", {"replyTo": note["id"], "body": words.phrase(self.random)}))
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
