"""Positions in a story: three editions of a book, two runs, prior knowledge, audiences of notes, pace, and managed accounts."""

from .people import MINIMAL, NO_BOOK


def editions(tour):
    at = tour.at
    at.tale = tour.post("lib", "/v1/books", {"title": "A tale in editions", "pageCount": 400}).id
    book = f"/v1/books/{at.tale}"
    for target in (f"{book}/editions", f"{book}/chapters", f"{book}/editions?limit=1"):
        tour.watch("ada", target)
    at.paper = "/v1/editions/00000000-0000-4000-8000-0000000000d1"
    tour.put("ada", at.paper, {"book": at.tale, "format": "paper", "length": 400, "storyStart": 10, "storyEnd": 390}, {"If-None-Match": "*"})
    at.audio = "/v1/editions/" + tour.post("ben", f"{book}/editions", {"format": "audio", "length": 40000, "narrator": "Kim"}, {"Idempotency-Key": "audio"}).id
    for body in ({"format": "ebook", "storyStart": 2, "storyEnd": 82}, {"format": "paper"}, {"format": "wax"}, {"format": "paper", "length": 100, "storyStart": 200}):
        tour.post("ada", f"{book}/editions", body)
    tour.put("ada", f"{book}/chapters", {"chapters": [{"label": "1", "title": "Ice"}, {"share": 0.25}, {"share": 0.5}]})
    tour.put("ada", f"{book}/chapters", {"chapters": [{"share": 0.5}, {"share": 0.25}]})
    tour.watch("ada", at.paper)
    for anchors in ([10, 105, 200], [10, 100, 190], [10, 5, 1], [10]):
        tour.patch("lib", at.paper, {"anchors": anchors})
    head = tour.get("ada", "/v1/changes").json["head"]
    tour.get("ben", f"{at.paper}?after={head}")
    tour.watch("ben", f"{at.paper}?after={head}")
    tour.patch("ada", at.paper, {"name": "The paperback", "isbn": "0306406152"})
    tour.pages("cleo", f"{book}/editions")


def places(tour):
    at = tour.at
    at.tales = tour.post("ada", "/v1/readings", {"book": at.tale, "edition": at.paper.rpartition("/")[2], "startedAt": "2020-01-01T00:00:00Z"}).id
    reading = f"/v1/readings/{at.tales}"
    tour.watch("ada", reading)
    for place in ({"page": 4}, {"page": "xii"}, {"page": 401}, {"page": 57}, {"chapter": 2, "within": 0.5}, {"chapter": 9}, {"seconds": 9}, {"progress": 0.4, "locator": "epubcfi(/6/4)"},
                  {"seconds": 12000.5, "edition": at.audio.rpartition("/")[2]}, {"page": 1, "progress": 0.1}, {"location": 3, "edition": NO_BOOK}):
        tour.post("ada", f"{reading}/entries", {"position": place})
    tour.patch("ada", reading, {"edition": at.audio.rpartition("/")[2]})
    tour.patch("ada", at.audio, {"length": 41000})
    tour.delete("ben", at.audio)
    tour.post("ben", "/v1/readings", {"book": at.tale, "finishedAt": "2019-02-01T00:00:00Z", "startedAt": "2019-01-01T00:00:00Z"}, MINIMAL)
    for query in ("q=tale", "sort=-createdAt", "sort=none"):
        for kind in ("readings", "cards"):
            tour.get("ada", f"/v1/{kind}?{query}")


def knowledge(tour):
    path = f"/v1/books/{tour.at.tale}/knowledge"
    tour.get("cleo", path)
    for body in ({"through": {"chapter": 2}}, {"through": {"chapter": 9}}, {}):
        tour.put("cleo", path, body)
    tour.watch("cleo", path)
    tour.put("cleo", path, {"through": {"progress": 0.3}})
    tour.get("ada", path)
    tour.delete("cleo", path)
    tour.delete("cleo", path)


def runs(tour):
    at = tour.at
    at.tellers = "/v1/clubs/" + tour.post("ada", "/v1/clubs", {"name": "Tellers", "slack": 0.1, "defaultShares": "exact", "defaultSharesWithModerators": "exact"}).id
    code = tour.post("ada", f"{at.tellers}/invitations", {"usesMax": 9}).json["code"]
    for name in ("ben", "cleo"):
        tour.post(name, "/v1/links/preview", {"invitation": code})
        tour.post(name, "/v1/memberships", {"invitation": code, "shares": "milestones"})
    path = f"{at.tellers}/runs"
    tour.watch("cleo", f"{path}?state=current")
    at.proposed = tour.post("cleo", path, {"book": at.tale}).id
    for target in (path, f"{path}/{at.proposed}"):
        tour.watch("ben", target)
    tour.patch("cleo", f"{path}/{at.proposed}", {"state": "current"})
    tour.patch("ada", f"{path}/{at.proposed}", {"state": "current", "endsAt": "2031-01-01T00:00:00Z"})
    again = tour.post("ada", path, {"book": at.tale, "state": "current"}).id
    for name in ("dora", "cleo", "ada"):
        tour.delete(name, f"{path}/{again}")
    tour.post("ada", f"{at.tellers}/milestones", {"run": at.proposed, "position": {"chapter": 2, "within": 1}, "dueAt": "2031-01-01T00:00:00Z"})
    tour.post("ada", f"{at.tellers}/meetings", {"startsAt": "2031-02-01T18:00:00Z", "book": at.tale, "position": {"chapter": 2}})
    for name in ("ada", "cleo"):
        tour.watch(name, f"{at.tellers}/standings")
    for name in ("ada", "cleo"):
        tour.post(name, f"{at.tellers}/standings", {"run": at.proposed})
    for name in ("ada", "cleo", "dora"):
        for target in (path, f"{path}/{at.proposed}", *(f"{at.tellers}/{part}?run={at.proposed}" for part in ("milestones", "standings", "meetings", "notes"))):
            tour.get(name, target)


def notes(tour):
    at = tour.at
    tour.watch("cleo", f"{at.tellers}/notes")
    base = {"book": at.tale, "club": at.tellers.rpartition("/")[2]}
    deep = tour.post("ada", "/v1/notes", {**base, "position": {"chapter": 2, "within": 0.5}, "kind": "question", "quote": "Ice", "language": "en"}).id
    for threshold in ("everyone", "finished", "position", "never"):
        tour.post("cleo", "/v1/notes", {**base, "threshold": threshold, "body": f"For {threshold}"})
    own = f"/v1/notes/{tour.post('cleo', '/v1/notes', {'book': at.tale, 'body': 'For me', 'position': {'progress': 0.1}}).id}"
    for body in ({"club": base["club"], "audience": "moderators"}, {"audience": "club"}, {"audience": "moderators"}, {"opensAt": {"progress": 0.7}}, {"opensAt": {"page": 10}}, {"threshold": "finished"}):
        tour.patch("cleo", own, body)
    for name in ("ada", "ben", "cleo", "dora"):
        for query in ("", "?include=opened", "?kind=question", f"?about={NO_BOOK}", "?sort=-createdAt", "?q=ice&sort=-createdAt"):
            tour.get(name, f"{at.tellers}/notes{query}")
        tour.get(name, f"/v1/notes/{deep}")
        tour.get(name, f"/v1/notes/{deep}?include=opened")
        tour.get(name, f"/v1/notes?kind=question&club={base['club']}&sort=-createdAt")
    entry = tour.post("ada", f"/v1/readings/{at.tales}/entries", {"position": {"chapter": 3}, "note": {"kind": "quote", "quote": "So it was her.", "club": base["club"]}})
    plain = tour.post("ada", f"/v1/readings/{at.tales}/entries", {"position": {"chapter": 3, "within": 0.5}, "note": "Hm."}).id
    tour.post("ada", "/v1/notes", {"entry": plain, "kind": "thought"})
    tour.delete("ada", f"/v1/readings/{at.tales}/entries/{entry.id}?note=keep")


def pace(tour):
    at = tour.at
    for name, target in (("ada", f"/v1/readings/{at.tales}/pace"), ("ben", f"{at.tellers}/books/{at.tale}/pace")):
        tour.watch(name, target)
        for reader in ("ada", "ben", "dora"):
            tour.get(reader, target)
    tour.post("ada", f"/v1/readings/{at.tales}/entries", {"position": {"chapter": 3, "within": 0.75}})
    tour.patch("ada", f"/v1/readings/{at.tales}", {"state": "abandoned"})
    for choice in ("all", "nameless", "keep", "delete"):
        tour.delete("cleo", f"{at.tellers}/members/{at.ids['cleo']}?notes={choice}")
    tour.get("cleo", at.tellers)
    tour.delete("ada", f"{at.tellers}/runs/{at.proposed}")


def pupils(tour):
    at = tour.at
    pupil = tour.post("admin", "/v1/readers", {"name": "Ida", "guardian": at.ids["ada"]})
    for guardian in (pupil.id, NO_BOOK, 7):
        tour.post("admin", "/v1/readers", {"name": "Kim", "guardian": guardian})
    tour.tokens["ida"] = tour.server.token("desk", pupil.id)
    tour.post("ida", "/v1/notes", {"book": at.tale, "body": "Private to Ida"})
    for name in ("ada", "ben", "ida"):
        tour.watch(name, f"/v1/readers?guardian={at.ids['ada']}")
        tour.get(name, f"/v1/me/export?reader={pupil.id}")
        tour.delete(name, f"/v1/readers/{pupil.id}?confirm=Idae")
    tour.get("admin", f"/v1/readers?guardian={at.ids['ada']}")
    tour.delete("ada", f"/v1/readers/{pupil.id}?confirm=Ida")
    tour.get("ida", "/v1/me")
