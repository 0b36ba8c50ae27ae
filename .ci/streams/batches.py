"""Actions with several writes in one request, and late repetitions of writes under client-made ids."""

from . import words


class Batches:
    def send_batch(self):
        """Sends lines of one reader, some of which use what an earlier one created; now and then one is invalid."""
        r, reader = self.random, self.someone()
        lines = [self.batch_line(reader) for _ in range(r.randint(1, 6))]
        lines = [line for line in lines if line]
        note = self.uuid()
        book = self.any_book()
        if book:
            lines.append(("PUT", f"/v1/notes/{note}", {"book": book["id"], "club": None, "body": words.phrase(r)}))
            lines.append(("PATCH", f"/v1/notes/{note}", {"body": words.phrase(r)}))
        if r.random() < 0.3:
            lines.insert(r.randint(0, len(lines)), ("DELETE", f"/v1/notes/{self.uuid()}", None))
        if not lines:
            return
        atomic = r.random() < 0.6
        requests = [{"method": method, "path": path, **({} if body is None else {"body": body})} for method, path, body in lines]
        answer = self.send(reader, "POST", "/v1/batch", {"atomic": atomic, "requests": requests})
        if answer.status != 200:
            # Without a response the outcome is unknown.
            if atomic and not answer.status:
                reader.log.batches.append((0, 1 << 62))
            return
        versions = [one["body"]["version"] for one in answer.json["answers"] if one["status"] < 300 and "version" in one.get("body", {})]
        if atomic and versions:
            reader.log.batches.append((min(versions) - 20, max(versions)))
        for (method, path, body), one in zip(lines, answer.json["answers"]):
            self.batch_line_done(reader, method, path, body, one)

    def batch_line(self, reader):
        r = self.random
        kind = r.choice(["book", "change", "entry", "reading", "shelf"])
        if kind == "book" and len(self.books) < 45:
            return "PUT", f"/v1/books/{self.uuid()}", self.draft()
        if kind == "change" and self.any_book():
            return "PATCH", f"/v1/books/{self.any_book()['id']}", {"title": words.phrase(r)}
        _, reading = self.any_reading(reader)
        if kind == "entry" and reading:
            body = {"progress": r.choice([0.1, 0.43, 0.7, round(r.random(), 6)])}
            self.may_reach(reader, reading, body)
            return "PUT", f"/v1/readings/{reading['id']}/entries/{self.uuid()}", body
        if kind == "reading" and self.any_book():
            return "PUT", f"/v1/readings/{self.uuid()}", {"book": self.any_book()["id"], "isReread": True}
        return "POST", "/v1/shelves", {"name": words.phrase(r)[:50] or "x"}

    def batch_line_done(self, reader, method, path, body, one):
        value = one.get("body")
        if one["status"] >= 300:
            return
        if value and not one.get("unchanged"):
            self.unproven.append((reader, value["version"], value["id"], path))
        if method == "PUT" and one["status"] == 201 and not path.startswith("/v1/books"):
            self.own.append((reader, path, body))
        if path.startswith("/v1/books"):
            self.books[value["id"]] = value
        elif "/entries/" in path:
            book = next((reading["book"] for reading in reader.log.readings.values() if reading["id"] == value["reading"]), None)
            self.has_reached(reader, {"id": value["reading"], "book": book}, body, value)
        elif path.startswith("/v1/notes"):
            self.notes[value["id"]] = value

    def send_late(self):
        """Repeats writes under client-made ids: the resource exists, or did, and nothing changes."""
        sent = [self.random.choice(self.own) for _ in range(3)] if self.own else []
        for reader, path, body in sent:
            answer = self.send(reader, "PUT", path, body)
            if answer.status not in (0, 410, 503, 507) and not (answer.status == 200 and answer.unchanged):
                self.find("a late retry did something", [f"{path} {body}: {answer.status} {answer.json}"], reader.name)
