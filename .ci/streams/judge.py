"""Comparisons of a watcher: its view with GET, and its events with the log."""

from . import rules
from .changelog import listed


class Search:
    """The results of searches in the service's own lists, from GET, used to judge the events of a stream."""

    def __init__(self):
        self.known = {}

    @staticmethod
    def key(filters, book):
        return filters.get("q"), filters.get("author"), book["title"], tuple(book["authors"])

    def learn(self, filters, books, found):
        for id, book in books.items():
            if rules.matches(filters, book) is None:
                self.known[self.key(filters, book)] = id in found

    def matches(self, filters, value):
        verdict = rules.matches(filters, value)
        return self.known.get(self.key(filters, value)) if verdict is None else verdict


class Expected:
    def __init__(self, name, item, is_firm):
        self.name, self.item, self.is_firm = name, item, is_firm


def expected_events(watch, log, search, upto):
    """Returns the events after the segment's start that the watcher should have received by the log, up to `upto`, and the ids then in its list."""
    held, events = set(watch.base), []
    for item in log.cards if watch.resource == "card" else log.items:
        if not watch.start < item.seq <= upto or watch.shape != "feed" and item.resource != watch.resource:
            continue
        is_firm = item.seq > watch.soft_until and log.is_firm(item)
        if watch.shape == "feed":
            events.append(Expected(item.change, item, is_firm))
        elif watch.shape == "one":
            if item.id == watch.scope["id"] and shown_change(watch, item):
                events.append(Expected("leave" if item.change == "hidden" else item.change, item, is_firm))
        else:
            name, is_sure = list_event(watch, item, held, search, events)
            if name:
                events.append(Expected(name, item, is_firm and is_sure))
    return events, held


def shown_change(watch, item):
    return item.change != "updated" or not watch.fields or any(name in watch.fields for name in item.changed)


def list_event(watch, item, held, search, events):
    """Returns the event of a list for a change, and whether it is required. Updates `held`, the ids in the list."""
    was = item.id in held
    if item.change in ("deleted", "hidden"):
        held.discard(item.id)
        return ("leave", True) if was else (None, True)
    if item.value is None or any(item.value[name] != wanted for name, wanted in watch.scope.items()):
        return None, True
    now = search.matches(watch.filters, item.value) if watch.resource == "book" else rules.matches({**watch.filters, **watch.implied}, item.value)
    if now is None:
        # It is unknown whether the item matched, so the watcher's event decides.
        heard = [name for name, data in watch.events if data["seq"] == item.seq and data["id"] == item.id]
        if heard:
            now = heard[-1] != "leave"
        else:
            now = was
        (held.add if now else held.discard)(item.id)
        return (heard[-1] if heard else None), False
    (held.add if now else held.discard)(item.id)
    if now and not was:
        return ("unlocked" if item.change == "unlocked" else "enter"), True
    if was and not now:
        return "leave", True
    return ("updated" if was and now and shown_change(watch, item) else None), True


def difference_from_log(watch, log, search, upto):
    """Returns the first few differences between a watcher's events and the log, or the watcher's new base if there are none."""
    if watch.start is None or upto <= watch.start:
        return [], None
    if not log.is_whole(watch.start, upto):
        return [], set(watch.view) if watch.shape == "list" else set()
    expected, held = expected_events(watch, log, search, upto)
    heard = {(data["seq"], data["id"]): (name, data) for name, data in watch.events if data["seq"] <= upto}
    differences = []
    for wanted in expected:
        item = wanted.item
        got = heard.pop((item.seq, item.id), None)
        if got is None:
            if wanted.is_firm:
                differences.append(f"{wanted.name} {item.resource} {item.seq} ({item.id}, transaction {item.transaction}) never came")
            continue
        name, data = got
        if name != wanted.name and wanted.is_firm:
            differences.append(f"{name} {item.resource} {item.seq} came where {wanted.name} is due")
        if data.get("value") is not None and item.value is not None and not is_same(data["value"], item, log):
            differences.append(f"{name} {item.resource} {item.seq} has {different(data['value'], item.value)}")
    for (seq, id), (name, data) in heard.items():
        if seq > watch.soft_until and not is_private(log, data):
            differences.append(f"{name} {data['resource']} {seq} ({id}) came and is not in the log")
    return differences, held


def is_same(value, item, log):
    """Returns whether a value equals the log's. Later events of a note that was deleted or hidden contain no text."""
    if value == item.value:
        return True
    if item.resource != "note" or "" not in (value["body"], item.value["body"]) or wordless(value) != wordless(item.value):
        return False
    # A reader who left the club meanwhile gets no text either.
    if log.member_since.get(log.places.club(item), 0) > item.transaction or log.places.club(item) not in log.member_since:
        return True
    return any(later.id == item.id and later.change in ("deleted", "hidden") and later.seq > item.seq for later in log.items)


def wordless(note):
    return {name: told for name, told in note.items() if name not in ("body", "quote", "language", "position")}


def is_private(log, data):
    """Returns whether the reader has since lost access to a change's resource, by leaving the club or the role."""
    club = log.places.clubs.get((data["resource"], data["id"])) or (data.get("value") or {}).get("club")
    if data["resource"] == "club":
        club = data["id"]
    return club is not None and log.since(data["resource"]).get(club, 1 << 62) > data["transaction"]


def different(one, other):
    names = [name for name in {**one, **other} if one.get(name) != other.get(name)]
    return ", ".join(f"{name} {one.get(name)!r} for {other.get(name)!r}" for name in names[:3])


def difference_from_get(watch, send, log, search):
    """Returns the differences between the view and GET; the second result is False if it cannot be judged yet."""
    if watch.shape == "feed":
        return []
    if watch.has_said_farewell:
        return ["it has said farewell, and is open"]
    if watch.shape == "one":
        answer = send(watch.reader, "GET", watch.path)
        if answer.status in (401, 403, 404):
            return [] if watch.has_view and watch.view is None else [f"GET says {answer.status}, and the stream is open and shows it"]
        if answer.status != 200:
            return [f"GET says {answer.status}"]
        found, view = {"it": answer.json}, {"it": watch.view} if watch.view else {}
    else:
        found, view = listed(send, watch.reader, watch.path, watch.filters), watch.view
        if found is None:
            return ["GET says no, and the stream is open"]
        if watch.resource == "book" and log.mirror is not None:
            search.learn(watch.filters, log.books, found)
    if not watch.has_view:
        return ["there is no snapshot"]
    differences = [f"{id} is in the list and not in the view: {brief(found[id])}" for id in found if id not in view]
    differences += [f"{id} is in the view and not in the list: {brief(view[id])}" for id in view if id not in found]
    for id in found.keys() & view.keys():
        one, other = view[id], found[id]
        if watch.fields:
            one, other = ({name: value[name] for name in watch.fields} for value in (one, other))
        if one != other:
            differences.append(f"{id} has in the view {different(one, other)} in the list")
    return differences


def brief(value):
    shown = {name: value[name] for name in ("version", "title", "authors", "name", "body", "state", "progress", "role") if name in value}
    return str(shown)[:300]
