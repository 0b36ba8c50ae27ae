"""Comparisons of a watcher: its view with GET, and its events with the log."""

from . import rules
from .changelog import listed


class Search:
    """What the service's own lists say of a search: learnt from GET, asked for the events of a stream."""

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
    """What the log says that the watcher should have heard after its segment's start, up to `upto`; and who is in its list then."""
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
    """The event of a list for a change, and whether it must come. Keeps `held`, the ids in the list."""
    was = item.id in held
    if item.change in ("deleted", "hidden"):
        held.discard(item.id)
        return ("leave", True) if was else (None, True)
    if item.value is None or any(item.value[name] != wanted for name, wanted in watch.scope.items()):
        return None, True
    now = search.matches(watch.filters, item.value) if watch.resource == "book" else rules.matches({**watch.filters, **watch.implied}, item.value)
    if now is None:
        # Whether it matched is not known: what the watcher heard is taken for it.
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
    """The first few differences between a watcher's events and the log, or the watcher's new base if there are none."""
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
    """Whether a value is what the log says; of a note that was deleted since, what is told after that says nothing of its words."""
    if value == item.value:
        return True
    if item.resource != "note" or "" not in (value["body"], item.value["body"]) or wordless(value) != wordless(item.value):
        return False
    return any(later.id == item.id and later.change == "deleted" and later.seq > item.seq for later in log.items)


def wordless(note):
    return {name: told for name, told in note.items() if name not in ("body", "quote", "language", "position")}


def is_private(log, data):
    """Whether the reader's log may no longer show what was theirs to see when it happened: the club or the role was left since."""
    club = log.places.clubs.get((data["resource"], data["id"])) or (data.get("value") or {}).get("club")
    if data["resource"] == "club":
        club = data["id"]
    return club is not None and log.since(data["resource"]).get(club, 1 << 62) > data["transaction"]


def different(one, other):
    names = [name for name in {**one, **other} if one.get(name) != other.get(name)]
    return ", ".join(f"{name} {one.get(name)!r} for {other.get(name)!r}" for name in names[:3])


def difference_from_get(watch, send, log, search):
    """How the view differs from what GET says now; the second answer is false where nothing can be said yet."""
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
