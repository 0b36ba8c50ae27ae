"""Requests to join a club, and removal from it."""

from .people import MINIMAL


def ask(tour):
    at, path, own, club = tour.at, f"/v1/requests?club={tour.at.club_id}", "/v1/requests", {"club": tour.at.club_id}
    for _ in range(2):
        first = tour.post("dora", own, {**club, "message": "May I?"}, {"Idempotency-Key": "ask"})
    tour.post("dora", own, {**club, "message": "May I now?"})
    tour.post("dora", own, club, MINIMAL)
    tour.post("lib", own, club, MINIMAL)
    tour.post("cleo", own, club)
    tour.pages("ben", path)
    tour.get("cleo", path)
    tour.pages("dora", "/v1/requests")
    tour.patch("cleo", f"/v1/requests/{first.id}", {"state": "accepted"})
    tour.patch("ben", f"/v1/requests/{first.id}", {"state": "declined"}, {"If-Match": '"x"'})
    tour.patch("ben", f"/v1/requests/{first.id}", {"state": "declined"}, {"If-Match": first.etag})
    tour.patch("ben", f"/v1/requests/{first.id}", {"state": "declined"})
    tour.patch("ben", f"/v1/requests/{first.id}", {"state": "accepted"})
    second = tour.post("dora", own, club)
    tour.patch("ada", f"/v1/requests/{second.id}", {"state": "accepted"}, MINIMAL)
    tour.watch("dora", at.club)
    for part in ("notes", "calendars", "meetings/next/notes", "invitations"):
        tour.watch("dora", f"{at.club}/{part}")
    for target in (f"/v1/shelves?club={at.club_id}", at.shelf, f"{at.shelf}/books", f"{at.meeting}/notes", f"/v1/notes/{at.note}/reactions"):
        tour.watch("dora", target)
    tour.post("dora", f"{at.club}/calendars")
    tour.patch("dora", f"/v1/shelves/{at.ids['dora']}", {"club": at.club_id})
    for part in ("", "/books"):
        tour.watch("ada", f"/v1/shelves/{at.ids['dora']}{part}")
    tour.delete("dora", f"/v1/requests/{first.id}", {"Idempotency-Key": "forget"})
    tour.delete("dora", f"/v1/requests/{first.id}")
    tour.delete("dora", f"/v1/requests/{second.id}")
    at.asked = tour.get("lib", "/v1/requests").json["items"][0]["id"]


def remove(tour):
    at, path, own, club = tour.at, f"{tour.at.club}/removals", "/v1/requests", {"club": tour.at.club_id}
    dora = f"{at.club}/members/{at.ids['dora']}"
    code = tour.post("ada", f"{at.club}/invitations", {"usesMax": 9}).json["code"]
    tour.post("dora", "/v1/notes", {"book": at.books["years"], "club": at.club_id, "body": "Was here"})
    tour.delete("cleo", dora)
    tour.delete("ben", dora, {"If-Match": '"x"'})
    tour.delete("ben", dora, {"Idempotency-Key": "out"})
    tour.delete("ben", dora)
    tour.post("dora", "/v1/memberships", {"invitation": code})
    removed = tour.get("ben", path)
    tour.pages("ben", path)
    tour.get("cleo", path)
    own_note = tour.get("dora", "/v1/notes").json["items"][0]["id"]
    tour.get("dora", f"/v1/notes/{own_note}")
    tour.get("dora", f"/v1/notes/{own_note}", {"Accept": "text/event-stream"})
    tour.get("dora", f"/v1/notes/{own_note}/reactions")
    tour.patch("dora", f"/v1/notes/{own_note}", {"body": "Was never here"})
    request = tour.post("dora", own, {**club, "message": "Sorry"})
    tour.patch("ada", f"/v1/requests/{request.id}", {"state": "accepted"})
    tour.delete("ada", f"{dora}?ban=true")
    tour.post("dora", own, club)
    removed = tour.get("ben", path).json["items"][0]["id"]
    tour.delete("cleo", f"{path}/{removed}")
    tour.delete("ben", f"{path}/{removed}", {"Idempotency-Key": "lift"})
    tour.delete("ben", f"{path}/{removed}")
    tour.post("dora", "/v1/memberships", {"invitation": code})
    tour.delete("ada", f"{dora}?ban=false")
    tour.delete("ada", f"{dora}?ban=maybe")
    at.removal = tour.get("ben", path).json["items"][0]["id"]
    tour.delete("dora", f"/v1/notes/{own_note}")
