"""Resuming from a cursor, streams of several URLs, and long polls."""

from ..server import WATCHES_MAX
from .faults import place


def resume(tour):
    """Opens every kind of stream again: from the first event, from the middle, and from invalid cursors."""
    at, epoch = tour.at, tour.epoch
    head = int(tour.get("ada", "/v1/changes").json["head"].split("-")[1])
    for name in ("ada", "cleo"):
        tour.finish([tour.watch(name, target, f"{epoch}-{head // 3}") for target in watchable(tour)])
    tour.finish([tour.watch("ada", f"{target}{'&' if '?' in target else '?'}after={epoch}-{head * 2 // 3}") for target in watchable(tour)])
    tour.finish([tour.watch("ada", target, "00000000-1") for target in watchable(tour)])
    for cursor in (f"{epoch}-{head // 3}", f"{epoch}-{head}", "00000000-1"):
        tour.finish([tour.watch("admin", target, cursor) for target in ("/v1/readers", f"/v1/readers/{at.ids['ada']}")])
    cursors = ("nonsense", f"{epoch}-999999", f"{epoch}-0", f"{epoch}-{head}", "17")
    targets = ("/v1/books", f"/v1/readings/{at.reading}", f"{at.club}/notes", "/v1/changes")
    tour.finish([tour.watch("ada", target, cursor) for cursor in cursors for target in targets])
    tour.finish([tour.watch("ada", "/v1/changes?after="), tour.watch("ben", f"{at.club}/notes", f"{epoch}-1")])
    for target in watchable(tour):
        tour.ask("ada", "HEAD", target, fields={"Accept": "text/event-stream"})
        tour.get("ada", f"{target}{'&' if '?' in target else '?'}fields=none", {"Accept": "text/event-stream"})
        tour.get("ada", f"{target}{'&' if '?' in target else '?'}fields=", {"Accept": "text/event-stream"})
    for query in ("q=rope", f"thread={at.note}"):
        tour.get("ada", f"{at.club}/notes?{query}", {"Accept": "text/event-stream"})
    tour.finish([tour.watch("ada", f"{at.club}/meetings?hasBegun=true")])
    tour.get("dora", f"{at.club}/notes", {"Accept": "text/event-stream"})


def watchable(tour):
    return [place(tour, one) for one in tour.contract.operations if one.is_watchable]


def names(tour):
    at = tour.at
    paths = ["/v1/me", "/v1/tokens", "/v1/shelves", at.cleos_shelf, f"/v1/shelves?club={at.club_id}", f"/v1/readings/{at.reading}/entries", f"/v1/readings/{at.reading}"]
    stream = tour.post("ada", "/v1/streams", {"watch": {path: path for path in paths}}).json
    tour.watch(None, stream["url"])
    tour.watch(None, stream["url"], f"{tour.epoch}-1")
    tour.get(None, f"/v1/streams/{stream['id']}/events?secret=nonsense")
    tour.get(None, f"/v1/streams/{stream['id']}")
    tour.post("ada", "/v1/streams", {"watch": {"with a space": "/v1/me"}})
    tour.post("ada", "/v1/streams", {"watch": {"stream": stream["url"]}})
    tour.finish([tour.watch("worn", "/v1/changes") for _ in range(WATCHES_MAX + 1)])


def polls(tour):
    at = tour.at
    start = tour.get("ada", "/v1/changes").json["head"]
    waiting = [tour.poll("ada", f"/v1/changes?after={start}"), tour.poll("cleo", f"/v1/changes?cursor={start}"), tour.poll("dora", f"/v1/changes?after={start}&limit=1")]
    tour.post("ada", "/v1/notes", {"replyTo": at.note, "body": "While you wait"})
    tour.patch("dora", "/v1/me", {"name": "Dora, waiting"})
    for poll in waiting:
        poll.wait(lambda poll: poll.head and len(poll.content[0]) >= int(poll.head.fields["content-length"]), 5)
        poll.close()
    for prefer in ("wait=0", "wait=5", "wait=x", "wait=99999999999999999999", "return=minimal, wait=1"):
        tour.get("ada", f"/v1/changes?after={start}&limit=2", {"Prefer": prefer})
    tour.get("ada", f"/v1/changes?after={start}", {"Prefer": "wait=1"})
    for query in ("", "?after=", "?after=&limit=3", "?after=nonsense", f"?after={tour.epoch}-999999", "?after=00000000-1", "?limit=0", "?after=x&after=y"):
        tour.get("cleo", f"/v1/changes{query}")
    tour.turn_to("pages of changes")
    place = ""
    for _ in range(30):
        page = tour.get("cleo", f"/v1/changes?cursor={place}&limit=40").json
        if page["next"] == place:
            break
        place = page["next"]
