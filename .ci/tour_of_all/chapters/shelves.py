"""Shelves: a reader's own, and their visibility in a club."""

from .faults import UNKNOWN
from .people import MINIMAL


def keep(tour):
    """Private shelves."""
    at, want = tour.at, f"/v1/shelves/{tour.at.ids['ada']}"
    for part in ("", "/books", "/books?limit=1"):
        tour.watch("ada", want + part)
    for name in ("ada", "ben"):
        tour.get(name, want)
        tour.get(name, f"{want}/books")
    for _ in range(2):
        shelf = tour.post("ada", "/v1/shelves", {"name": "Sea stories"}, {"Idempotency-Key": "shelf"})
    at.shelf = f"/v1/shelves/{shelf.id}"
    for part in ("", "/books", "/books?limit=1"):
        tour.watch("ada", at.shelf + part)
    tour.watch("ben", at.shelf)
    for _ in range(2):
        tour.post("ada", "/v1/shelves", {"name": "Quiet"}, {**MINIMAL, "Idempotency-Key": "quiet"})
    tour.post("ada", "/v1/shelves", {"name": "Nowhere", "club": UNKNOWN})
    tour.get("ada", at.shelf, {"If-None-Match": shelf.etag})
    tour.patch("ada", at.shelf, {"name": "Stories of the sea"}, {"If-Match": shelf.etag})
    tour.patch("ada", at.shelf, {"name": "Stories of the sea"}, {"If-Match": shelf.etag})
    tour.patch("ada", at.shelf, {"name": "Stories of the sea"})
    tour.patch("ada", at.shelf, {"name": "Sea stories"}, MINIMAL)
    tour.patch("ada", want, {"name": "Next"})
    tour.delete("ada", want)
    order(tour, at.shelf, "sea")
    order(tour, want, "want")
    tour.pages("ada", "/v1/shelves")


def order(tour, shelf, name):
    years, kindred, wave = (f"{shelf}/books/{tour.at.books[name]}" for name in ("years", "kindred", "wave"))
    one = tour.put("ada", years, {}, {"If-None-Match": "*"})
    tour.put("ada", years, {}, {"If-None-Match": "*"})
    tour.put("ada", kindred, {"place": 1}, MINIMAL)
    tour.put("ada", wave, {}, {"Idempotency-Key": f"wave-{name}"})
    tour.put("ada", wave, {}, {"Idempotency-Key": f"wave-{name}"})
    tour.put("ada", years, {"place": 0}, {"If-Match": one.etag})
    tour.put("ada", years, {"place": 0}, {"If-Match": one.etag})
    tour.put("ada", years, {"place": 0})
    tour.put("ada", kindred, {"place": 1_000_000}, MINIMAL)
    tour.put("ada", f"{shelf}/books/{tour.at.own}", {})
    tour.put("ada", f"{shelf}/books/{UNKNOWN}", {})
    tour.pages("ada", f"{shelf}/books")
    gone = tour.put("ada", wave, {"place": 3})
    tour.delete("ada", wave, {"If-Match": '"x"'})
    tour.delete("ada", wave, {"If-Match": gone.etag})
    tour.delete("ada", wave)
    tour.delete("ada", f"{shelf}/books/{tour.at.own}", {"Idempotency-Key": f"off-{name}"})


def share(tour):
    """Shelves shared with a club, of which Dora is not a member."""
    at = tour.at
    listed = f"/v1/shelves?club={at.club_id}"
    for name in ("ada", "cleo"):
        tour.watch(name, listed)
    tour.watch("cleo", f"{listed}&limit=1")
    tour.patch("dora", f"/v1/shelves/{at.ids['dora']}", {"club": at.club_id})
    tour.patch("ada", at.shelf, {"club": at.club_id})
    seen = [tour.watch("cleo", at.shelf + part) for part in ("", "/books", "/books?limit=1")]
    for name in ("ben", "cleo", "dora"):
        tour.get(name, at.shelf)
        tour.pages(name, f"{at.shelf}/books")
        tour.pages(name, listed)
    tour.patch("cleo", at.shelf, {"name": "Mine"})
    tour.put("cleo", f"{at.shelf}/books/{at.books['plain']}", {})
    tour.patch("ada", at.shelf, {"name": "Sea stories for us"})
    tour.put("ada", f"{at.shelf}/books/{at.books['plain']}", {"place": 2})
    tour.put("ada", f"{at.shelf}/books/{at.books['plain']}", {"place": 0}, MINIMAL)
    tour.put("ada", f"/v1/shelves/{at.ids['ada']}/books/{at.books['plain']}", {})
    tour.delete("ada", f"{at.shelf}/books/{at.books['plain']}")
    cursor = tour.get("cleo", f"{at.shelf}/books").json["after"]
    tour.patch("ada", at.shelf, {"club": None})
    for stream in seen:
        tour.await_end(stream)
    tour.watch("cleo", at.shelf, cursor)
    tour.get("cleo", f"{at.shelf}/books")
    tour.patch("ada", at.shelf, {"club": at.club_id}, MINIMAL)
    tour.finish([tour.watch("cleo", at.shelf + part, cursor) for part in ("", "/books")])
    for part in ("", "/books"):
        tour.watch("cleo", at.shelf + part)
    members(tour)


def members(tour):
    """Other members' shelves in the club: one is deleted, one stays until its reader leaves."""
    at, made = tour.at, {}
    for name in ("ben", "cleo"):
        made[name] = tour.post(name, "/v1/shelves", {"name": f"{name.title()}'s", "club": at.club_id}).id
        tour.put(name, f"/v1/shelves/{made[name]}/books/{at.books['kindred']}", {})
    at.cleos_shelf = f"/v1/shelves/{made['cleo']}"
    for id in made.values():
        for part in ("", "/books"):
            tour.watch("ada", f"/v1/shelves/{id}{part}")
    tour.put("cleo", f"{at.cleos_shelf}/books/{at.books['wave']}", {"place": 0})
    tour.get("ada", f"{at.cleos_shelf}/books")
    tour.delete("ada", at.cleos_shelf)
    tour.delete("ben", f"/v1/shelves/{made['ben']}", {"If-Match": '"x"'})
    tour.delete("ben", f"/v1/shelves/{made['ben']}", {"Idempotency-Key": "no-shelf"})
    tour.delete("ben", f"/v1/shelves/{made['ben']}", {"Idempotency-Key": "no-shelf"})
    tour.delete("ben", f"/v1/shelves/{made['ben']}")
    tour.pages("ada", f"/v1/shelves?club={at.club_id}")
