"""Readers, their tokens, and public facts about the service."""

import time

MINIMAL = {"Prefer": "return=minimal"}
FOUR = ("ada", "ben", "cleo", "dora")
NO_BOOK = "00000000-0000-4000-8000-00000000dead"


def come(tour):
    at = tour.at
    at.ids = {"admin": tour.get("admin", "/v1/me").id}
    tour.epoch = tour.get("admin", "/v1/me").etag.strip('"').split("-")[0]
    tour.watch("admin", "/v1/changes")
    tour.watch("admin", "/v1/changes?after=")
    for target in ("/v1/readers", "/v1/readers?limit=2", "/v1/me", "/v1/tokens"):
        tour.watch("admin", target)
    service(tour)
    for name, role in (("lib", "librarian"), *((name, "reader") for name in FOUR)):
        at.ids[name] = tour.post("admin", "/v1/readers", {"name": name.title(), "role": role}).id
        tour.tokens[name] = tour.server.token(f"{name}'s", at.ids[name])
        tour.patch(name, "/v1/me", {"name": name.title() + " the Reader"})
        for target in ("/v1/changes", "/v1/me", "/v1/tokens", "/v1/clubs", "/v1/notes", "/v1/requests", "/v1/shelves"):
            tour.watch(name, target)
    for name, target in (("ada", f"/v1/readers/{at.ids['ada']}"), ("admin", f"/v1/readers/{at.ids['ben']}"), ("ada", "/v1/readers"),
                         ("ada", "/v1/tokens?limit=1"), ("ada", "/v1/shelves?limit=1"), ("ada", f"/v1/notes?book={NO_BOOK}"), ("ada", "/v1/clubs?limit=1")):
        tour.watch(name, target)
    names(tour)
    tokens(tour)
    second(tour)


def service(tour):
    for target in ("/", "/openapi.yaml", "/healthz", "/metrics", "/problems/reading-finished", "/problems/invalid", "/problems/none-such"):
        answer = tour.get("admin" if target == "/metrics" else None, target)
        tour.get("admin", target, {"If-None-Match": answer.etag})
        tour.ask("admin", "HEAD", target)
        tour.ask("admin", "OPTIONS", target)
    for kind in set_of_problems():
        tour.get(None, f"/problems/{kind}")


def set_of_problems():
    return ("malformed-query unknown-parameter body-missing token-missing role-missing not-found limit-reached reading-open book-in-use club-archived "
            "cursor-not-served precondition-failed version-required unsupported-media-type idempotency-key-reused too-many-requests out-of-space body-too-large").split()


def names(tour):
    ids = tour.at.ids
    me = tour.get("ada", "/v1/me")
    tour.get("ada", "/v1/me", {"If-None-Match": me.etag})
    tour.patch("ada", "/v1/me", {"name": "Ada"}, {"If-Match": me.etag})
    tour.patch("ada", "/v1/me", {"name": "Ada"}, {"If-Match": me.etag})
    tour.patch("ada", "/v1/me", {"name": "Ada"})
    tour.patch("ada", "/v1/me", {"name": "Ada L."}, MINIMAL)
    tour.patch("ada", "/v1/me", {"name": "Ada"}, {"Content-Type": "application/json"})
    tour.pages("admin", "/v1/readers")
    tour.get("ada", "/v1/readers")
    tour.get("ada", f"/v1/readers/{ids['ada']}")
    tour.get("ada", f"/v1/readers/{ids['ben']}")
    someone = tour.get("admin", f"/v1/readers/{ids['ben']}")
    tour.get("admin", f"/v1/readers/{ids['ben']}", {"If-None-Match": someone.etag})
    tour.patch("admin", f"/v1/readers/{ids['ben']}", {"name": "Ben"}, {"If-Match": someone.etag})
    tour.patch("admin", f"/v1/readers/{ids['ben']}", {"name": "Ben"}, MINIMAL)
    tour.patch("admin", f"/v1/readers/{ids['dora']}", {"role": "librarian"})
    tour.patch("admin", f"/v1/readers/{ids['dora']}", {"role": "reader"})
    tour.patch("admin", f"/v1/readers/{ids['admin']}", {"role": "reader"})
    tour.patch("dora", f"/v1/readers/{ids['dora']}", {"role": "administrator"})
    tour.patch("dora", f"/v1/readers/{ids['ada']}", {"name": "Not Ada"})
    for _ in range(2):
        tour.post("admin", "/v1/readers", {"name": "Éve ⭐"}, {"Idempotency-Key": "eve", **MINIMAL})
    tour.post("admin", "/v1/readers", {"name": "Eve"}, {"Idempotency-Key": "eve"})


def tokens(tour):
    at = tour.at
    for _ in range(2):
        answer = tour.post("ada", "/v1/tokens", {"name": "look only", "scope": "read"}, {"Idempotency-Key": "look"})
        tour.tokens.setdefault("looker", answer.json.get("token"))
    tour.tokens["spare"] = tour.post("ada", "/v1/tokens", {"name": "spare", "expiresAt": "2999-01-01T00:00:00Z"}).json["token"]
    at.until, tour.until = tour.soon(3), time.time() + 3.1
    tour.tokens["late"] = tour.post("ada", "/v1/tokens", {"name": "short", "expiresAt": at.until}).json["token"]
    for name in ("ada", "admin"):
        tour.post(name, "/v1/tokens", {"name": "for another", "reader": at.ids["ben"]})
    tour.post("spare", "/v1/tokens", {"name": "outlives"})
    tour.post("ada", "/v1/tokens", {"name": "past", "expiresAt": "2001-01-01T00:00:00Z"})
    tour.post("ada", "/v1/tokens", {"name": "quiet"}, MINIMAL)
    tour.tokens["worn"] = tour.post("cleo", "/v1/tokens", {"name": "worn"}).json["token"]
    for name in ("looker", "spare", "late", "worn"):
        tour.get(name, "/v1/me")
    tour.patch("ada", "/v1/me", {"name": "Ada"})
    tour.pages("ada", "/v1/tokens")
    tour.get("admin", "/v1/tokens?sessions=true")
    at.token = [token["id"] for token in tour.get("ada", "/v1/tokens").json["items"] if token["name"] == "spare"][0]
    at.worn = [token["id"] for token in tour.get("cleo", "/v1/tokens").json["items"] if token["name"] == "worn"][0]
    for name, id in (("ada", at.token), ("admin", at.token), ("ben", at.token), ("cleo", at.worn)):
        tour.watch(name, f"/v1/tokens/{id}")
    tour.get("ada", f"/v1/tokens/{at.token}")
    tour.get("admin", f"/v1/tokens/{at.token}")
    tour.get("ben", f"/v1/tokens/{at.token}")
    tour.get("admin", "/v1/tokens?limit=3")


def second(tour):
    """Another administrator, who sees readers until the role is lost."""
    at = tour.at
    mel = tour.post("admin", "/v1/readers", {"name": "Mel", "role": "administrator"}).id
    tour.tokens["mel"] = tour.server.token("Mel's", mel)
    targets = ("/v1/readers", f"/v1/readers/{at.ids['cleo']}", f"/v1/readers/{mel}", f"/v1/tokens/{at.token}", "/v1/me")
    streams = [tour.watch("mel", target) for target in targets]
    head = tour.get("mel", "/v1/changes").json["head"]
    tour.patch("cleo", "/v1/me", {"name": "Cleo"})
    tour.finish([tour.watch("mel", target, head) for target in targets])
    tour.patch("admin", f"/v1/readers/{mel}", {"role": "reader"})
    for stream in streams[:2]:
        tour.await_end(stream)
    for target in targets:
        tour.finish([tour.watch("mel", target, head)])
    tour.patch("cleo", "/v1/me", {"name": "Cleo the Reader"})
