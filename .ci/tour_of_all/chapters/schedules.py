"""The club's runs, milestones and standings."""

from .people import MINIMAL


def books(tour):
    at, path = tour.at, f"{tour.at.club}/runs"
    tour.post("ada", f"{at.club}/milestones", {"position": {"progress": 0.1}, "dueAt": "2030-01-01T00:00:00Z"})
    tour.post("ada", f"{at.club}/standings", {})
    at.runs = {name: tour.post(actor, path, {"book": at.books[name], **body}, fields).id for name, actor, body, fields in (
        ("kindred", "ada", {"state": "current"}, {"Idempotency-Key": "kindred"}), ("years", "ben", {"state": "current", "place": 1}, {}),
        ("wave", "cleo", {}, {}))}
    years, kindred, wave = (f"{path}/{at.runs[name]}" for name in ("years", "kindred", "wave"))
    tour.post("ada", path, {"book": at.books["kindred"], "state": "current"}, {"Idempotency-Key": "kindred"})
    tour.post("ada", f"{at.club}/milestones", {"position": {"progress": 0.1}, "dueAt": "2030-01-01T00:00:00Z"})
    one = tour.patch("ada", kindred, {"state": "read"})
    tour.patch("ada", kindred, {"state": "read"}, {"If-Match": one.etag, **MINIMAL})
    tour.patch("ada", kindred, {"state": "read"})
    tour.patch("ada", wave, {"place": 7, "state": "planned"}, MINIMAL)
    tour.patch("ada", wave, {"place": 7}, {"If-Match": '"x"'})
    tour.post("ada", path, {"book": "00000000-0000-4000-8000-00000000dead"})
    tour.pages("cleo", path)
    tour.get("cleo", f"{path}?state=current&book={at.books['years']}")
    tour.get("cleo", f"{kindred}/pace")
    tour.delete("cleo", wave)
    tour.delete("ada", wave)
    tour.delete("lib", f"/v1/books/{at.books['wave']}")
    tour.patch("lib", f"/v1/books/{at.books['kindred']}", {"pageCount": 300})


def milestones(tour):
    at, path = tour.at, f"{tour.at.club}/milestones"
    at.milestone = tour.post("ada", path, {"name": "The rain", "position": {"progress": 0.4}, "dueAt": "2030-01-01T18:00:00+02:00"}, {"Idempotency-Key": "rain"}).id
    tour.post("ada", path, {"name": "The rain", "position": {"progress": 0.4}, "dueAt": "2030-01-01T18:00:00+02:00"}, {"Idempotency-Key": "rain"})
    tour.post("ben", path, {"position": {"page": 40}, "dueAt": "2001-01-01T00:00:00Z"})
    tour.post("ada", path, {"book": at.books["kindred"], "position": {"page": 150}, "dueAt": "2031-01-01T00:00:00Z"}, MINIMAL)
    tour.post("ada", path, {"book": at.own, "position": {"progress": 0.5}, "dueAt": "2031-01-01T00:00:00Z"})
    tour.watch("cleo", f"{path}?book={at.books['kindred']}")
    told = tour.watch("cleo", f"{path}?book={at.books['years']}")
    tour.post("ada", path, {"name": "Soon", "position": {"progress": 0.8}, "dueAt": tour.soon(0.6)})
    tour.await_event(told, r'"isDue":true.*"name":"Soon"|"name":"Soon".*"isDue":true')
    one = tour.patch("ada", f"{path}/{at.milestone}", {"dueAt": "2001-06-01T00:00:00Z"})
    tour.patch("ada", f"{path}/{at.milestone}", {"dueAt": "2032-06-01T00:00:00Z", "name": None}, {"If-Match": one.etag})
    tour.patch("ada", f"{path}/{at.milestone}", {"position": {"page": 200}}, MINIMAL)
    tour.patch("ada", f"{path}/{at.milestone}", {"position": {"page": 200}})
    tour.patch("ada", f"{path}/{at.milestone}", {"position": {"progress": 0.4}, "name": "The rain"}, {"If-Match": '"x"'})
    tour.pages("cleo", path)
    tour.pages("cleo", f"{path}?book={at.books['kindred']}")
    gone = tour.post("ada", path, {"position": {"progress": 0.9}, "dueAt": "2033-01-01T00:00:00Z"})
    tour.delete("ada", f"{path}/{gone.id}", {"If-Match": gone.etag})
    tour.delete("ada", f"{path}/{gone.id}")


def standings(tour):
    at, path = tour.at, f"{tour.at.club}/standings"
    tour.watch("ada", f"{path}?book={at.books['kindred']}")
    for _ in range(2):
        tour.post("ada", path, {"reading": at.reading}, {"Idempotency-Key": "along"})
    tour.post("ada", path, {"reading": at.reading})
    tour.post("ada", path, {"reading": at.reading}, MINIMAL)
    tour.post("ada", path, {"book": at.books["kindred"], "reading": at.reading})
    tour.post("ada", path, {"book": at.own})
    at.standing = tour.post("cleo", path, {}).id
    at.cleos = tour.get("cleo", "/v1/readings").json["items"][0]["id"]
    at.bens = tour.post("ben", "/v1/readings", {"book": at.books["years"]}).id
    tour.post("ben", path, {"book": at.books["years"]}, MINIMAL)
    tour.post("ben", path, {"book": at.books["kindred"]})
    for name, reading, page in (("cleo", at.cleos, 30), ("ben", at.bens, 180), ("cleo", at.cleos, 170)):
        tour.post(name, f"/v1/readings/{reading}/entries", {"page": page})
    tour.pages("ada", path)
    tour.get("ada", f"{path}?book={at.books['kindred']}&limit=1000")
    tour.get("ada", f"{path}?limit=1001")
    tour.delete("ada", f"{path}/{at.standing}")
    tour.delete("cleo", f"{path}/{at.standing}", {"If-Match": '"x"'})
    tour.delete("cleo", f"{path}/{at.standing}")
    tour.delete("cleo", f"{path}/{at.standing}")
    at.standing = tour.post("cleo", path, {}).id
    for state in ("read", "current"):
        tour.patch("ada", f"{at.club}/runs/{at.runs['years']}", {"state": state})


def shares(tour):
    """Each sharing level with an entry, a finished reading and a step back."""
    at, cleo = tour.at, f"{tour.at.club}/members/{tour.at.ids['cleo']}"
    path = f"/v1/readings/{at.cleos}"
    for level in ("exact", "milestones", "finished", "nothing", "milestones"):
        tour.patch("cleo", cleo, {"shares": level})
        tour.get("ada", f"{at.club}/standings")
        tour.post("cleo", f"{path}/entries", {"page": 60})
        tour.post("cleo", f"{path}/entries", {"progress": 0.45})
        tour.patch("cleo", path, {"isFinished": True})
        tour.get("ben", f"{at.club}/standings")
        tour.patch("cleo", path, {"isFinished": False})
    for name in ("ada", "ben", "cleo"):
        tour.get(name, f"{at.club}/members")
    for level in ("exact", None):
        tour.patch("cleo", cleo, {"sharesWithModerators": level})
        for name in ("ada", "cleo"):
            tour.get(name, f"{at.club}/standings")
            tour.get(name, f"{at.club}/standings/{at.standing}")
    tour.patch("ada", f"{at.club}/milestones/{at.milestone}", {"position": {"progress": 0.46}})
    tour.get("ada", f"{at.club}/standings")
    tour.patch("ada", f"{at.club}/milestones/{at.milestone}", {"position": {"progress": 0.4}})
    tour.patch("cleo", path, {"pageCount": 800})
