"""The contract's rules of who may see what and what a view shows, said a second time."""

CARD_OF_READING = ["isReread", "state", "isFinished", "progress", "page", "pageCount", "latestEntry", "latestEntryAt", "finishedAt"]
CARD_OF_BOOK = ["title", "authors", "coverURL"]
OF_A_CLUB = {"member", "note", "run", "milestone", "standing", "meeting", "attendance", "invitation", "joinRequest", "removal"}
FOR_MODERATORS = {"invitation", "joinRequest", "removal"}


def card(reading, book, version):
    """A card is a reading as a shelf shows it."""
    shown = {"id": reading["id"], "version": version, "book": reading["book"]}
    shown.update({name: book[name] for name in of_book(reading)})
    shown.update({name: reading[name] for name in CARD_OF_READING if name in reading})
    return shown


def of_book(reading):
    """What a card has of the book. Readings had no page count of their own once."""
    return CARD_OF_BOOK + ([] if "pageCount" in reading else ["pageCount"])


def matches(filters, value):
    """Whether the list with these filters has the value; None where only the service's own list can say it."""
    verdict = True
    for name, wanted in filters.items():
        if name in ("q", "author"):
            one = None
        elif name == "language":
            one = ((value["language"] or "") + "-").lower().startswith(wanted.lower() + "-")
        elif name == "publishedFrom":
            one = value["publishedYear"] is not None and value["publishedYear"] >= int(wanted)
        elif name == "publishedTo":
            one = value["publishedYear"] is not None and value["publishedYear"] <= int(wanted)
        else:
            one = value[name] == wanted
        if one is False:
            return False
        if one is None:
            verdict = None
    return verdict


class Reach:
    """How far each reader has ever been in each book, by what was acknowledged or may have been."""

    def __init__(self):
        self.furthest = {}

    def add(self, reader, book, progress):
        self.furthest[reader, book] = max(progress, self.furthest.get((reader, book), 0))

    def forget(self, reader, book):
        self.furthest.pop((reader, book), None)

    def reveals(self, reader, note):
        """Whether the reader may see the note, given that they are in its club and no moderator who sees ahead."""
        return note["author"] == reader or opening(note) <= self.furthest.get((reader, note["book"]), 0)


def opening(note):
    """Where a note opens to who reads as its author does, without an edition. Of what was written before that could be said: where it is."""
    return {"everyone": 0, "finished": 1}.get(note.get("opens"), note["progress"] or 0)


def standing_faults(standing, shares, reading, milestones, is_own):
    """What a standing shows and should not, or does not and should. `milestones` are the progresses of those of its book."""
    faults = []
    progress, shown = reading["progress"], standing["progress"]
    if shares == "exact" and shown != progress:
        faults.append(f"all is shared and the progress is {progress}, but {shown} is shown")
    if shares == "nothing" and any(standing[name] is not None for name in ("progress", "state", "lastReadAt", "finishedAt")):
        faults.append("nothing is shared, but something is shown")
    if shares == "milestones" and shown is not None and (shown > progress or shown not in milestones and not reading["isFinished"]):
        faults.append(f"only milestones are shared ({sorted(milestones)}, at {progress}), but {shown} is shown")
    if shares in ("finished", "nothing") and not reading["isFinished"] and shown is not None:
        faults.append(f"no progress is shared, but {shown} is shown")
    if standing["finishedAt"] is not None and not reading["isFinished"]:
        faults.append("it is said to be finished and is not")
    return faults
