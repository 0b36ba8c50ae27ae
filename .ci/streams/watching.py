"""Actions that open watchers of all kinds."""

from . import words
from .watcher import Watch

WATCHES_MAX = 22


class Watching:
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
        choice, scope = self.random.choice(["members", "runs", "milestones", "standings", "standings", "meetings", "notes", "notes", "attendances"]), {"club": club.id}
        resource = choice.rstrip("s")
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
        """Restarts a watcher that differs, to report the difference once."""
        watch.cut()
        watch.forget()
        watch.cursor, watch.is_foreign = None, False
        self.reopen(watch)

    def reopen(self, watch):
        self.last_actions.append(f"opens {watch} again after {watch.cursor}")
        watch.open(self.server.port, watch.reader.token, by_query=not watch.polls and self.random.random() < 0.4)
