"""A second implementation of the contract's rules of visibility and of views."""

CARD_OF_READING = ["isReread", "state", "isFinished", "progress", "page", "pageCount", "latestEntry", "latestEntryAt", "finishedAt"]
CARD_OF_BOOK = ["title", "authors", "coverURL"]
OF_A_CLUB = {"member", "note", "run", "milestone", "standing", "meeting", "attendance", "invitation", "joinRequest", "removal"}
FOR_MODERATORS = {"invitation", "joinRequest", "removal"}


def card(reading, book, version):
    """Returns the card of a reading: its form on a shelf."""
    shown = {"id": reading["id"], "version": version, "book": reading["book"]}
    shown.update({name: book[name] for name in of_book(reading)})
    shown.update({name: reading[name] for name in CARD_OF_READING if name in reading})
    return shown


def of_book(reading):
    """Returns the book's fields in a card. Older readings had no page count of their own."""
    return CARD_OF_BOOK + ([] if "pageCount" in reading else ["pageCount"])


def matches(filters, value):
    """Returns whether a list with these filters contains a value, or None if only the service's list can tell."""
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


class Marks:
    """The readers' high-water marks, from acknowledged or possible entries: the plain share and the plain progress of each book."""

    def __init__(self):
        self.claims = {}

    def add(self, reader, book, source, share, progress=0):
        """Adds a claim. `source` is a pair whose first element is the reading, by which the claim is taken back."""
        self.claims.setdefault((reader, book), {})[source] = (share, progress)

    def drop(self, reader, book, source):
        self.claims.get((reader, book), {}).pop(source, None)

    def drop_reading(self, reader, book, reading):
        claims = self.claims.get((reader, book), {})
        for source in [source for source in claims if source[0] == reading]:
            del claims[source]

    def of(self, reader, book):
        claims = self.claims.get((reader, book), {}).values()
        return max((share for share, _ in claims), default=0), max((progress for _, progress in claims), default=0)

    def reveals(self, reader, note):
        """Returns whether a reader sees a note, as a member of its club and not a moderator who sees ahead."""
        if note["author"] == reader or note["share"] == 0:
            return True
        share, progress = self.of(reader, note["book"])
        # A replayed note that is hidden now has no position.
        own = (note.get("opensAt") or note.get("position") or note).get("progress")
        return share >= note["share"] or note["threshold"] == "position" and own is not None and progress >= own


SHARING = ["exact", "milestones", "finished", "nothing"]


def shared(member, by_moderator):
    """Returns the level at which a member shares with another: moderators get their own level if it is higher."""
    levels = [member["shares"], member.get("sharesWithModerators") if by_moderator else None]
    return min((level for level in levels if level), key=SHARING.index)


def standing_faults(standing, shares, reading, milestones, is_own):
    """Returns what a standing shows or omits wrongly. `milestones` are the positions of those of its book."""
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
