"""The possible actions and their frequencies, and actions on the catalogue. The model changes only with acknowledged actions."""

from . import words
from .batches import Batches
from .clubs import Clubs
from .readings import Readings
from .schedules import Schedules

LANGUAGES = ["en", "en-GB", "es", "pt-BR", "hi", "ko", None]


class Actions(Readings, Clubs, Schedules, Batches):
    def prepare_model(self):
        self.books, self.notes, self.clubs, self.entries, self.own = {}, {}, {}, [], []

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
        """Performs a random action."""
        choices = {
            self.add_book: 5, self.change_book: 14, self.delete_book: 4, self.begin_reading: 5, self.change_reading: 5, self.delete_reading: 2,
            self.record_entry: 14, self.delete_entry: 2, self.found_club: 0.4, self.change_club: 4, self.delete_club: 0.3, self.join: 5,
            self.leave_club: 2, self.change_role: 3, self.change_shares: 2, self.list_book: 5, self.unlist_book: 1, self.set_milestone: 4,
            self.change_milestone: 2, self.call_meeting: 3, self.change_meeting: 2, self.attend: 3, self.read_along: 3, self.write_note: 10,
            self.change_note: 5, self.react: 4, self.rename: 2, self.send_batch: 6, self.send_late: 2,
            self.disturb: 18, self.watch_something: 2, self.flood: 1, self.leave_and_return: 1.8, self.found_while_replaying: 1.2,
            self.update_and_delete: 2.5, self.revoke_token: 0.8, self.restart: 0.5, self.search_watch: 2, self.fail_to_read: 0.5,
        }
        if any(self.only):
            choices = {action: 30 if action.__name__ in self.only else weight for action, weight in choices.items()}
        action = self.random.choices(list(choices), list(choices.values()))[0]
        self.counts[action.__name__] += 1
        action()

    # Random choices

    def someone(self):
        return self.random.choice(self.readers)

    def any_of(self, things):
        things = list(things)
        return self.random.choice(things) if things else None

    def clubs_of(self, reader, *roles):
        return [club for club in self.clubs.values() if club.roles.get(reader.id) in (roles or ("member", "moderator", "owner"))]

    def place(self):
        """Returns a random reader and a club of theirs."""
        club = self.any_of(club for club in self.clubs.values() if club.roles)
        return (self.reader(self.any_of(club.roles)), club) if club else (None, None)

    def chair(self):
        """Returns a random club and a reader who may manage it."""
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
        """Returns the scripts in which a search is watched."""
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
        # The reader who created a book may change it, and the administrator always may.
        answer = self.send(self.readers[0] if r.random() < 0.6 else self.someone(), "PATCH", f"/v1/books/{book['id']}", body)
        if answer.ok:
            self.books[book["id"]] = answer.json

    def delete_book(self):
        book = self.any_book()
        if book and self.send(self.readers[0], "DELETE", f"/v1/books/{book['id']}").ok:
            del self.books[book["id"]]
