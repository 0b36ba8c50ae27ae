"""Actions on a club's books, milestones, meetings and runs."""

import datetime

from . import words


class Schedules:
    def list_book(self, reader=None, club=None):
        if not club:
            reader, club = self.chair()
        book = self.any_book()
        if club and book:
            body = {"state": self.random.choice(["planned", "current", "current", "read"])}
            if self.random.random() < 0.4:
                body["place"] = self.random.randint(0, 9)
            runs, run = f"/v1/clubs/{club.id}/runs", club.books.get(book["id"])
            if run:
                self.send(reader, "PATCH", f"{runs}/{run}", body)
                return
            answer = self.send(reader, "POST", runs, {"book": book["id"], **body})
            if answer.ok:
                club.books[book["id"]] = answer.json["id"]

    def unlist_book(self):
        reader, club = self.chair()
        book = club and self.any_of(club.books)
        if book and self.send(reader, "DELETE", f"/v1/clubs/{club.id}/runs/{club.books[book]}").ok:
            del club.books[book]
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
            body = {"book": book, "name": words.phrase(self.random), "position": {"progress": self.random.choice([0.1, 0.25, 0.4, 0.5, 0.9, 1])}, "dueAt": self.soon()}
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
            self.send(reader, "PATCH", path, self.random.choice([{"dueAt": self.soon()}, {"position": {"progress": 0.3}}, {"name": words.phrase(self.random)}]))

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
