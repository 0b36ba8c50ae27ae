"""An archived club, leaving and rejoining, and the deletion of everything."""

import time

from .clubs import moderated
from .faults import bodies_of, place


def archive(tour):
    """The writes that an archived club accepts."""
    at = tour.at
    code = tour.post("ada", f"{at.club}/invitations", {}).json["code"]
    tour.patch("ada", at.club, {"isArchived": True})
    tour.post("dora", "/v1/memberships", {"invitation": code})
    for one in tour.contract.operations:
        if one.path.startswith(("/v1/clubs/{id}/", "/v1/notes")) and one.method in ("POST", "PUT", "PATCH"):
            body = {**bodies_of(tour).get(one.name, {}), **({"book": at.books["years"], "club": at.club_id} if one.name == "POST /v1/notes" else {})}
            tour.ask("ada", one.method, place(tour, one), body if one.has_body else None)
    for path in (at.milestone, ):
        tour.delete("ada", f"{at.club}/milestones/{path}")
    for path in (f"{at.club}/runs/{at.runs['kindred']}", at.meeting, f"/v1/notes/{at.note}/reactions/love", f"{at.club}/invitations/{at.invitation}"):
        tour.delete("ada", path)
    tour.patch("ada", f"/v1/shelves/{at.ids['ada']}", {"club": at.club_id})
    tour.patch("ada", at.shelf, {"name": "In the archive"})
    tour.post("cleo", "/v1/readings/" + at.cleos + "/entries", {"progress": 0.77})
    tour.patch("ada", at.club, {"isArchived": False, "visibility": "private"})
    tour.get("ada", at.club)


def leave(tour):
    """Cleo leaves, gets no more events, and rejoins; her old streams cannot be resumed."""
    at, epoch = tour.at, tour.epoch
    head = tour.get("cleo", f"{at.club}/notes").json["after"]
    tour.delete("cleo", f"{at.club}/members/{at.ids['cleo']}")
    tour.get("cleo", at.club)
    tour.get("cleo", f"/v1/notes/{at.reply}")
    tour.get(None, at.calendar)
    tour.post("ada", "/v1/notes", {"book": at.books["years"], "club": at.club_id, "body": "While she was away"})
    tour.get("cleo", f"{at.club}/notes", {"Accept": "text/event-stream"})
    code = tour.post("ada", f"{at.club}/invitations", {}).json["code"]
    tour.post("cleo", "/v1/memberships", {"invitation": code})
    tour.post("dora", "/v1/memberships", {"invitation": code})
    views = (f"/v1/shelves?club={at.club_id}", at.shelf, f"{at.shelf}/books", f"{at.club}/calendars", f"{at.meeting}/notes", f"/v1/notes/{at.note}/reactions")
    for target in (*views, "/v1/clubs", "/v1/notes", "/v1/shelves"):
        tour.finish([tour.watch("cleo", target, head)])
    streams = [tour.watch("cleo", f"{at.club}/notes", head), tour.watch("cleo", "/v1/changes", head), tour.watch("cleo", f"{at.club}/members")]
    tour.post("ada", "/v1/notes", {"replyTo": at.note, "body": "Welcome back"})
    tour.finish(streams)
    tour.get("cleo", f"{at.club}/notes")
    tour.get("cleo", f"/v1/changes?after={head}")
    tour.patch("ada", f"{at.club}/members/{at.ids['ben']}", {"role": "owner"})
    tour.patch("ben", f"{at.club}/members/{at.ids['ada']}", {"role": "member"})
    tour.get("ada", f"{at.club}/invitations")
    for target in moderated(tour):
        tour.watch("ada", target, head)
    tour.patch("ben", f"{at.club}/members/{at.ids['ada']}", {"role": "owner"})
    for target in moderated(tour):
        tour.finish([tour.watch("ada", target, head)])
    tour.get("ada", f"{at.club}/invitations")


def limits(tour):
    """Exceeds the maximum numbers by one."""
    for _ in range(21):
        tour.post("ben", f"{tour.at.club}/calendars")
    for number in range(101):
        tour.post("lib", "/v1/shelves", {"name": f"Shelf {number}"}, {"Prefer": "return=minimal"})
    for number in range(201):
        tour.post("lib", "/v1/clubs", {"name": f"Club {number}"}, {"Prefer": "return=minimal"})


def delete(tour):
    """Deletes everything from the leaves up, and requests each resource again."""
    at = tour.at
    own = tour.put("ada", f"{at.shelf}/books/{at.own}", {})
    tour.delete("ada", f"/v1/books/{at.own}")
    tour.delete("ada", f"{at.shelf}/books/{at.own}", {"If-Match": own.etag})
    for name, path in (("ada", f"{at.shelf}/books/{at.books['years']}"), ("cleo", at.cleos_shelf), ("ada", f"/v1/readings/{at.reading}/entries/{at.entry}"), ("ada", f"{at.club}/milestones/{at.milestone}"),
                       ("cleo", f"/v1/notes/{at.reply}"), ("ada", f"/v1/notes/{at.note}"), ("ada", f"{at.club}/runs/{at.runs['years']}"),
                       ("ben", at.meeting), ("ada", f"/v1/readings/{at.reading}"), ("cleo", f"/v1/readings/{at.cleos}"), ("ada", f"/v1/notes/{at.private}"),
                       ("ben", f"{at.club}/members/{at.ids['cleo']}?ban=true"), ("lib", f"/v1/requests/{at.asked}"), ("ada", f"/v1/books/{at.own}"),
                       ("lib", f"/v1/books/{at.books['plain']}"), ("ada", at.club), ("ada", at.shelf)):
        tour.delete(name, path)
        tour.delete(name, path)
        for reader in ("ada", "cleo"):
            tour.get(reader, path.partition("?")[0])
    for target in ("/v1/readings", "/v1/cards", "/v1/clubs", "/v1/notes", "/v1/listings", "/v1/requests", "/v1/books", "/v1/shelves", f"{at.club}/members", f"/v1/shelves?club={at.club_id}"):
        tour.get("ada", target)


def revoke(tour):
    """Revokes tokens, which ends their streams."""
    at = tour.at
    while time.time() < tour.until:
        time.sleep(0.01)
    tour.get("late", "/v1/me")
    for name, watch, id, by in (("spare", tour.watch("spare", "/v1/books"), at.token, "ada"), ("worn", tour.watch("worn", "/v1/changes"), at.worn, "admin")):
        poll = tour.poll(name, f"/v1/changes?after={tour.get(name, '/v1/changes').json['head']}")
        tour.delete("ben", f"/v1/tokens/{id}")
        tour.delete(by, f"/v1/tokens/{id}", {"Idempotency-Key": f"no-{name}"})
        tour.await_end(watch)
        tour.await_end(poll)
        tour.get(name, "/v1/me")
        tour.delete(by, f"/v1/tokens/{id}")
    for name in ("ada", "ben", "cleo", "dora", "lib"):
        tour.get(name, "/v1/changes?after=&limit=100")
    page = tour.get("admin", "/v1/changes?after=&limit=100").json
    while len(page["items"]) == 100:
        page = tour.get("admin", f"/v1/changes?cursor={page['next']}&limit=100").json
