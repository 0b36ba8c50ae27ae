"""One reader's change log, polled soon after each change, and the events that a watcher should have received."""

from . import rules


class Item:
    def __init__(self, data):
        self.seq, self.transaction, self.resource, self.id = data["seq"], data["transaction"], data["resource"], data["id"]
        self.change, self.changed, self.value = data["change"], data.get("changed"), data.get("value")


class ChangeLog:
    """One reader's log. `gaps` are the ranges (after, to] that the service no longer had when it was polled."""

    def __init__(self, reader, send, places, random):
        self.reader, self.send, self.places, self.random = reader, send, places, random
        self.items, self.cards, self.gaps, self.faults = [], [], [], []
        self.next, self.epoch, self.head, self.floor = None, None, 0, None
        self.readings, self.books = {}, {}
        self.member_since, self.moderator_since, self.role_since, self.joins = {}, {}, {}, []
        self.mirror, self.book_transaction = {}, None
        self.batches = []

    def poll(self):
        """Reads to the end of the log. Returns False if the service did not respond."""
        while True:
            limit = self.random.choice([1, 2, 7, 30, 100, 100, 100])
            answer = self.send(self.reader, "GET", "/v1/changes", query={"limit": limit, "cursor": self.next or ""})
            if answer.status == 409 and self.next:
                if not self.begin_again():
                    return False
                continue
            if answer.status != 200:
                return False
            page = answer.json
            if self.next is None:
                self.epoch = page["next"].split("-")[0]
            if len(page["items"]) > limit:
                self.faults.append(f"a page of at most {limit} changes has {len(page['items'])}")
            for data in page["items"]:
                self.add(Item(data))
            moved = page["next"] != self.next
            self.floor = place(page["floor"]) if "floor" in page else None
            self.next = page["next"]
            if page["next"].split("-")[0] != self.epoch:
                self.faults.append(f"the epoch was {self.epoch} and is {page['next']}")
                self.epoch = page["next"].split("-")[0]
            if not page["items"] and not moved:
                self.head = max(self.head, page["seq"])
                return True

    def begin_again(self):
        """Reads the state again after the log was trimmed; the changes in between are unknown."""
        before = self.head
        answer = self.send(self.reader, "GET", "/v1/changes", query={"limit": 1})
        if answer.status != 200:
            return False
        self.next = answer.json["head"]
        self.head = int(self.next.split("-")[1])
        self.gaps.append((before, self.head))
        self.mirror = None
        readings, books = self.listed("/v1/readings"), self.listed("/v1/books")
        if readings is None or books is None:
            return False
        self.readings, self.books = readings, books
        return True

    def listed(self, path, query=None):
        return listed(self.send, self.reader, path, query)

    def is_whole(self, after, to):
        return not any(after < end and begin < to for begin, end in self.gaps)

    def add(self, item):
        if self.items and item.seq < self.items[-1].seq or self.items and item.seq == self.items[-1].seq and item.change not in ("unlocked", "hidden"):
            self.faults.append(f"change {item.seq} comes after {self.items[-1].seq}")
        if item.resource == "note" and item.changed and {"progress", "position"} & set(item.changed):
            self.faults.append(f"change {item.seq} moves a note")
        # A batch's own changes are known to its reader.
        if item.resource == "book":
            self.book_transaction = item.transaction
        if item.resource == "reading" and item.change == "updated" and item.transaction == self.book_transaction and not self.batched(item):
            self.faults.append(f"change {item.seq} moves a reading because its book was changed")
        self.items.append(item)
        self.places.learn(item)
        self.reflect(item)
        if item.resource == "reading":
            self.project_reading(item)
        elif item.resource == "book":
            self.project_book(item)
        elif item.resource == "membership":
            if item.change == "created":
                self.member_since[item.id] = self.role_since[item.id] = item.transaction
                self.joins.append(item.seq)
            else:
                for since in (self.member_since, self.moderator_since, self.role_since):
                    since.pop(item.id, None)
        elif item.resource == "member" and item.value and item.value["reader"] == self.reader.id:
            club = item.value["club"]
            if (item.value["role"] == "member") == (club in self.moderator_since):
                self.role_since[club] = item.transaction
            if item.value["role"] == "member":
                self.moderator_since.pop(club, None)
            else:
                self.moderator_since.setdefault(club, item.transaction)

    def batched(self, item):
        """Returns whether the reader requested the change in one transaction with others."""
        return any(first <= item.transaction <= last for first, last in self.batches)

    def reflect(self, item):
        if self.mirror is None:
            return
        if item.resource == "membership":
            # A reader who joins or leaves a club drops what they have of it.
            self.mirror = {key: value for key, value in self.mirror.items() if self.places.clubs.get(key) != item.id or value["version"] >= item.transaction}
        if item.change in ("deleted", "hidden"):
            self.mirror.pop((item.resource, item.id), None)
        else:
            self.mirror[item.resource, item.id] = item.value

    def project_reading(self, item):
        before = self.readings.get(item.id)
        if item.change == "deleted":
            self.readings.pop(item.id, None)
            return self.add_card(item, item.id, "deleted")
        self.readings[item.id] = item.value
        if before is None or item.change == "created":
            return self.add_card(item, item.id, "created")
        self.add_card(item, item.id, "updated", [name for name in item.changed if name in rules.CARD_OF_READING])

    def project_book(self, item):
        before = self.books.get(item.id)
        if item.change == "deleted":
            self.books.pop(item.id, None)
            return
        self.books[item.id] = item.value
        for reading in self.readings.values():
            changed = [name for name in rules.of_book(reading) if before and before[name] != item.value[name]]
            if reading["book"] == item.id and changed:
                self.add_card(item, reading["id"], "updated", changed)

    def add_card(self, item, id, change, changed=None):
        if change == "updated" and not changed:
            return
        reading = self.readings.get(id)
        book = self.books.get(reading["book"]) if reading else None
        data = {"seq": item.seq, "transaction": item.transaction, "resource": "card", "id": id, "change": change, "changed": changed}
        if reading and book:
            data["value"] = rules.card(reading, book, item.seq)
        self.cards.append(Item(data))

    def is_firm(self, item):
        """Returns whether the reader has had access to the change ever since it was made."""
        club = self.places.club(item)
        if club is None:
            # The creation may be in a gap, so the club is unknown. A private note says that it has none.
            return item.resource not in rules.OF_A_CLUB or bool(item.value) and item.value.get("club", "") is None
        if self.member_since.get(club, 1 << 62) > item.transaction:
            return False
        return self.since(item.resource).get(club, 1 << 62) <= item.transaction

    def since(self, resource):
        """Returns the transaction from which on the reader has had access to a kind of resource, by club."""
        return self.role_since if resource == "standing" else self.moderator_since if resource in rules.FOR_MODERATORS else self.member_since


def place(cursor):
    """Returns the number of the last change before a cursor, or 0 for none and for an invalid one."""
    number, within, _ = (cursor.rpartition("-")[2] if cursor and "-" in cursor else "").partition(".")
    return int(number) - bool(within) if number.isdigit() else 0


class Places:
    """The clubs of resources, which deletions do not contain."""

    def __init__(self):
        self.clubs, self.meetings = {}, {}

    def learn(self, item):
        if item.resource == "club":
            self.clubs["club", item.id] = item.id
        elif item.value:
            club = item.value.get("club")
            if item.resource == "attendance":
                self.meetings[item.id] = item.value["meeting"]
                club = self.clubs.get(("meeting", item.value["meeting"]))
            if club and item.resource in rules.OF_A_CLUB:
                self.clubs[item.resource, item.id] = club

    def club(self, item):
        return self.clubs.get((item.resource, item.id))


def listed(send, reader, path, query=None, most=100):
    """Returns all items of a list by id, or None if it cannot be read; pages that change meanwhile are read again."""
    for _ in range(5):
        found, seqs, cursor = {}, set(), None
        while True:
            answer = send(reader, "GET", path, query={**(query or {}), "limit": most, **({"cursor": cursor} if cursor else {})})
            if answer.status != 200:
                return None
            for value in answer.json["items"]:
                found[value["id"]] = value
            seqs.add(answer.json["seq"])
            cursor = answer.json["next"]
            if cursor is None:
                break
        if len(seqs) == 1:
            return found
    return found
