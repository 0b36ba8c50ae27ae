"""Readers' settings, their devices' state, and presence in a club."""

from .people import MINIMAL


def say(tour):
    at, path = tour.at, "/v1/settings"
    for name in ("ada", "ben"):
        tour.watch(name, path)
    first = tour.get("ada", path)
    tour.get("ada", path, {"If-None-Match": first.etag})
    said = {"timeZone": "Europe/Lisbon", "updateArtwork": False}
    tour.patch("ada", path, said, {"If-Match": first.etag})
    tour.patch("ada", path, said, {"If-Match": first.etag})
    tour.patch("ada", path, said)
    tour.patch("ada", path, {"syncProgress": False}, MINIMAL)
    for _ in range(2):
        tour.patch("ada", path, {"defaultShareLevel": "finished"}, {"Idempotency-Key": "settings"})
    for wrong in ({"timeZone": "Lisbon"}, {"timeZone": None}, {"presence": "on"}, {"defaultShareLevel": "all"}, {"theme": "dark"}):
        tour.patch("ada", path, wrong)
    tour.get("ben", path)


def keep(tour):
    at, draft = tour.at, "/v1/scenes/phone/draft"
    for part in ("", "?device=phone", "?device=pad", "?limit=1"):
        tour.watch("ada", f"/v1/scenes{part}")
    tour.get("ada", draft)
    made = tour.put("ada", draft, {"value": {"z": 1.0, "a": [1e2, None]}}, {"If-None-Match": "*"})
    tour.put("ada", draft, {"value": 1}, {"If-None-Match": "*"})
    tour.watch("ada", draft)
    tour.get("ada", draft, {"If-None-Match": made.etag})
    tour.put("ada", draft, {"value": {"z": 2.5}}, {"If-Match": made.etag})
    tour.put("ada", draft, {"value": {"z": 3}}, {"If-Match": made.etag})
    tour.put("ada", draft, {"value": {"z": 2.5}})
    tour.put("ada", "/v1/scenes/Pad/main", {"value": None}, MINIMAL)
    for _ in range(2):
        tour.put("ada", "/v1/scenes/pad/main", {"value": "x"}, {"Idempotency-Key": "scene"})
    tour.put("ada", draft, {"value": "x" * (17 << 10)})
    for name in ("a%20b", "..", ".", "%C3%A9", "n" * 65):
        tour.put("ada", f"/v1/scenes/phone/{name}", {"value": 1})
    tour.put("ben", draft, {"value": "ben's"})
    tour.get("ben", draft)
    tour.pages("ada", "/v1/scenes")
    tour.get("ada", "/v1/scenes?device=phone")
    tour.get("ada", "/v1/scenes?device=a%20b")
    tour.delete("ada", "/v1/scenes/pad/main", {"If-Match": '"x"'})
    tour.delete("ada", "/v1/scenes/pad/main")
    tour.delete("ada", "/v1/scenes/pad/main")


def be(tour):
    at = tour.at
    path = f"{at.club}/presence"
    tour.put("cleo", path, {})
    tour.patch("cleo", "/v1/settings", {"presence": True})
    for body in ({}, {"book": at.books["years"]}, {"book": at.books["years"]}, {"reading": at.reading}, {"page": 1}):
        tour.put("cleo", path, body)
    tour.put("dora", path, {})
    for name in ("ada", "dora"):
        tour.get(name, path)
    tour.delete("cleo", path)
    tour.get("ada", path)
    tour.patch("cleo", "/v1/settings", {"presence": False})
