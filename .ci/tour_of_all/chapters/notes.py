"""Notes: their visibility, their replies, and their use in meetings."""

from .people import MINIMAL


def gates(tour):
    """Locked notes, and the entries that unlock them."""
    at, notes = tour.at, f"{tour.at.club}/notes"
    club = {"book": at.books["years"], "club": at.club_id}
    tour.post("dora", "/v1/readings", {"book": at.books["years"]})
    whole = tour.post("ada", "/v1/notes", {**club, "body": "On the whole: *good*\n> quoted\n# not a heading"})
    at.note = tour.post("ada", "/v1/notes", {**club, "position": {"progress": 0.43}, "body": "The rope!"}).id
    at.far = tour.post("ben", "/v1/notes", {**club, "position": {"page": 380}, "body": "The end of the rope"}).id
    at.private = tour.post("ada", "/v1/notes", {"book": at.books["years"], "position": {"page": 20}, "body": "Mine alone"}).id
    tour.post("ada", "/v1/notes", {"book": at.books["kindred"], "body": "Elsewhere"}, {**MINIMAL, "Idempotency-Key": "note"})
    for body in ({**club, "position": {"progress": 0.5}}, {**club, "position": {"page": 900}, "body": "x"}, {**club, "book": "00000000-0000-4000-8000-00000000dead", "body": "x"}):
        tour.post("ada", "/v1/notes", body)
    tour.post("dora", "/v1/notes", {**club, "body": "From outside"})
    for name in ("ada", "ben", "cleo"):
        tour.get(name, notes)
        tour.get(name, f"/v1/notes/{at.far}")
        tour.watch(name, f"/v1/notes/{at.note}")
        for note in (at.note, at.far, at.private):
            tour.watch(name, f"/v1/notes/{note}/reactions")
    tour.watch("ada", f"/v1/notes?book={at.books['kindred']}")
    tour.watch("ada", f"/v1/notes/{at.private}")
    tour.watch("cleo", f"/v1/notes/{at.note}?fields=body")
    tour.watch("cleo", f"{notes}?book={at.books['years']}")
    tour.watch("cleo", f"{notes}?book={at.books['kindred']}")
    for progress in (0.94, 0.96):
        tour.post("ada", f"/v1/readings/{at.reading}/entries", {"progress": progress})
    tour.patch("ada", at.club, {"moderatorsSeeAhead": True})
    tour.get("ben", notes)
    tour.patch("ada", at.club, {"moderatorsSeeAhead": False})
    tour.post("cleo", f"/v1/readings/{at.cleos}/entries", {"progress": 0.99})
    tour.post("cleo", f"/v1/readings/{at.cleos}/entries", {"progress": 0.2})
    read(tour, whole)


def read(tour, whole):
    at, notes = tour.at, f"{tour.at.club}/notes"
    for query in ("", f"?book={at.books['years']}", "?q=rope", f"?thread={at.note}"):
        tour.pages("cleo", notes + query)
    for query in ("", f"?book={at.books['kindred']}", "?q=alone"):
        tour.pages("ada", f"/v1/notes{query}")
    tour.get("cleo", f"/v1/notes/{whole.id}", {"If-None-Match": whole.etag})
    tour.get("cleo", f"/v1/notes/{at.private}")
    for name in ("ada", "cleo"):
        for part in (at.meeting, f"{at.club}/meetings/next"):
            answer = tour.get(name, f"{part}/notes")
            tour.get(name, f"{part}/notes", {"If-None-Match": answer.etag})
            tour.get(name, f"{part}/notes", {"Accept": "text/markdown"})


def threads(tour):
    at = tour.at
    path = f"/v1/notes/{at.note}"
    for _ in range(2):
        at.reply = tour.post("cleo", "/v1/notes", {"replyTo": at.note, "body": "What rope?"}, {"Idempotency-Key": "reply"}).id
    tour.post("ada", "/v1/notes", {"replyTo": at.reply, "body": "That rope."})
    tour.post("ben", "/v1/notes", {"replyTo": at.note, "body": "Oh"}, MINIMAL)
    tour.pages("cleo", f"{at.club}/notes?thread={at.note}")
    one = tour.patch("ada", path, {"body": "The rope, again!"})
    tour.patch("ada", path, {"body": "x"}, {"If-Match": '"x"'})
    tour.patch("ada", path, {"body": "The rope!"}, {"If-Match": one.etag, **MINIMAL})
    tour.patch("ada", path, {"body": "The rope!"})
    tour.patch("cleo", path, {"body": "Not mine"})
    for name, reaction in (("cleo", "like"), ("ben", "like"), ("ben", "wonder"), ("ben", "like"), ("ada", "love")):
        tour.put(name, f"{path}/reactions/{reaction}")
    tour.put("cleo", f"{path}/reactions/sad", fields=MINIMAL)
    tour.put("cleo", f"{path}/reactions/none")
    tour.put("dora", f"{path}/reactions/like")
    answer = tour.get("cleo", f"{path}/reactions")
    tour.get("cleo", f"{path}/reactions", {"If-None-Match": answer.etag})
    tour.delete("ben", f"{path}/reactions/like")
    tour.delete("ben", f"{path}/reactions/like")
    tour.delete("cleo", f"{path}/reactions/sad", MINIMAL)
    gone = tour.post("cleo", "/v1/notes", {"replyTo": at.note, "body": "Not this"})
    for part in ("", "/reactions"):
        tour.watch("cleo", f"/v1/notes/{gone.id}{part}")
    tour.delete("ada", f"/v1/notes/{gone.id}", {"If-Match": '"x"'})
    tour.delete("ben", f"/v1/notes/{gone.id}", {"If-Match": gone.etag})
    tour.delete("ben", f"/v1/notes/{gone.id}")
    tour.get("ada", f"{at.meeting}/notes", {"Accept": "text/markdown"})
