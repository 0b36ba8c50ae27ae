"""Idempotent writes under client-made ids, and batches."""

from .people import MINIMAL


def id(number):
    return f"0199b7c0-0f00-7001-8000-{number:012}"


def make(tour):
    at = tour.at
    rows = [
        ("ada", f"/v1/readings/{id(1)}", {"book": at.books["wave"], "isReread": True}, {"state": "paused"}),
        ("ada", f"/v1/readings/{id(1)}/entries/{id(2)}", {"progress": 0.2}, None),
        ("ada", f"/v1/books/{at.books['wave']}/entries/{id(12)}", {"progress": 0.3}, None),
        ("ada", f"/v1/notes/{id(3)}", {"book": at.books["wave"], "body": "Mine"}, {"body": "Still mine"}),
        ("ada", f"/v1/notes/{id(4)}", {"replyTo": id(3), "body": "Indeed"}, None),
        ("ada", f"/v1/clubs/{id(5)}", {"name": "Own"}, {"name": "Ours"}),
        ("ada", f"/v1/clubs/{id(5)}/meetings/{id(6)}", {"startsAt": "2035-01-01T00:00:00Z"}, {"title": "Own"}),
        ("ada", f"/v1/shelves/{id(7)}", {"name": "Own"}, {"name": "Ours"}),
        ("admin", f"/v1/readers/{id(8)}", {"name": "Own"}, {"name": "Ours"}),
    ]
    tour.put("ada", f"/v1/clubs/{id(5)}", {"name": "Own"}, {"If-Match": '"x"'})
    for actor, path, body, patch in rows:
        tour.put(actor, path, body)
        tour.put(actor, path, body)
        tour.put(actor, path, body, MINIMAL)
        tour.put(actor, path, body, {"If-None-Match": "*"})
        if patch:
            tour.patch(actor, path, patch)
            tour.put(actor, path, body)
        tour.put(actor, path, {**body, "body": "Else", "name": "Else"} if "body" in body or "name" in body else {**body, "pageCount": 9})
        tour.put("ben", path, body)
    tour.post("ada", f"/v1/clubs/{id(5)}/runs", {"book": at.books["wave"], "state": "current"})
    for path, body in ((f"/v1/clubs/{id(5)}/milestones/{id(9)}", {"position": {"progress": 0.5}, "dueAt": "2035-01-01T00:00:00Z"}), (f"/v1/clubs/{id(5)}/standings/{id(10)}", {})):
        for fields in ({}, {}, {"Idempotency-Key": f"own {len(body)}".replace(" ", "-")}):
            tour.put("ada", path, body, fields)
        tour.delete("ada", path)
        tour.put("ada", path, body)
    for actor, path, body, _ in reversed(rows[:-1]):
        tour.delete(actor, path)
        tour.put(actor, path, body)
    tour.put("lib", f"/v1/requests/{id(11)}", {"club": at.club_id})


def send(tour):
    at = tour.at
    reading = f"/v1/readings/{id(20)}"
    lines = [
        {"method": "PUT", "path": reading, "body": {"book": at.books["wave"], "isReread": True}},
        {"method": "PUT", "path": f"{reading}/entries/{id(21)}", "body": {"progress": 0.4}},
        {"method": "PATCH", "path": reading, "body": {"state": "paused"}, "ifMatch": '"x"'},
        {"method": "POST", "path": "/v1/shelves", "body": {"name": ""}},
        {"method": "DELETE", "path": f"/v1/clubs/{at.club_id}"},
        {"method": "POST", "path": "/v1/tokens", "body": {"name": "x"}},
        {"method": "PATCH", "path": "/v1/shelves", "body": {}},
        {"method": "POST", "path": "/v1/nowhere"},
    ]
    for number in range(2, len(lines)):
        tour.post("cleo", "/v1/batch", {"atomic": True, "requests": lines[:2] + [lines[number]]})
    for fields in ({}, {}, {"Idempotency-Key": "batch"}, {"Idempotency-Key": "batch"}, MINIMAL):
        tour.post("cleo", "/v1/batch", {"atomic": True, "requests": lines[:2]}, fields)
    tour.post("cleo", "/v1/batch", {"atomic": False, "requests": lines})
    tour.post("cleo", "/v1/batch", {"atomic": True, "requests": lines[:1] * 101})
    tour.post("cleo", "/v1/batch", {"atomic": True, "requests": [{"method": "DELETE", "path": reading}]})
    tour.post("cleo", "/v1/batch", {"atomic": True, "requests": lines[:2]})
