"""Meetings, attendances and calendars of the club."""

from .people import MINIMAL


def call(tour):
    at, path = tour.at, f"{tour.at.club}/meetings"
    tour.get("ada", f"{path}/next/notes")
    body = {"title": "On the rain", "startsAt": "2030-01-02T19:30:00Z", "timeZone": "Europe/Lisbon", "minutes": 90, "place": "The library; room 2, left",
            "link": "https://meet.example/rain", "agenda": "1. Tea\n2. Rain, " + "and what comes of it; " * 30, "book": at.books["years"], "position": {"progress": 0.5}}
    for _ in range(2):
        meeting = tour.post("ada", path, body, {"Idempotency-Key": "meet"})
    at.meeting = f"{path}/{meeting.id}"
    tour.post("ben", path, {"startsAt": "2001-01-02T19:30:00Z"})
    tour.post("ben", path, {"startsAt": "2031-01-02T19:30:00+01:00", "book": at.books["kindred"], "position": {"page": 100}}, MINIMAL)
    for name in ("ada", "cleo"):
        for part in ("", "?fields=title", "/attendances", "/attendances?fields=answer", "/notes"):
            tour.watch(name, at.meeting + part)
    soon = tour.post("ada", path, {"title": "Soon", "startsAt": tour.soon(0.6)})
    told = tour.watch("cleo", f"{path}/{soon.id}")
    tour.await_event(told, '"hasBegun":true')
    change(tour, meeting)
    answers(tour)
    for query in ("", "?hasBegun=true", "?hasBegun=false"):
        tour.pages("cleo", path + query)
    tour.get("cleo", f"{path}?hasBegun=maybe")
    gone = tour.post("ada", path, {"startsAt": "2033-01-01T00:00:00Z", "timeZone": "Asia/Kolkata"})
    for part in ("", "/attendances", "/notes"):
        tour.watch("cleo", f"{path}/{gone.id}{part}")
    tour.put("cleo", f"{path}/{gone.id}/attendance", {"answer": "yes"})
    tour.delete("cleo", f"{path}/{gone.id}")
    tour.delete("ada", f"{path}/{gone.id}", {"If-Match": gone.etag, "Idempotency-Key": "off"})
    tour.get("cleo", f"{path}/{gone.id}")


def change(tour, meeting):
    at = tour.at
    tour.get("cleo", at.meeting, {"If-None-Match": meeting.etag})
    tour.get("dora", at.meeting)
    tour.patch("ada", at.meeting, {"place": "The café"}, {"If-Match": meeting.etag})
    tour.patch("ada", at.meeting, {"place": "The café"}, {"If-Match": meeting.etag})
    tour.patch("ada", at.meeting, {"place": "The café"})
    tour.patch("ada", at.meeting, {"minutes": None, "agenda": None, "title": None}, MINIMAL)
    tour.patch("ada", at.meeting, {"book": at.books["kindred"]})
    tour.patch("ada", at.meeting, {"book": at.books["years"], "position": {"page": 200}})
    tour.patch("ada", at.meeting, {"startsAt": "2001-01-01T00:00:00Z"})
    tour.patch("ada", at.meeting, {"startsAt": "2030-01-02T19:30:00Z", "title": "On the rain"})
    tour.patch("ada", at.meeting, {"timeZone": "Nowhere/Else"})
    tour.patch("cleo", at.meeting, {"title": "Mine"})


def answers(tour):
    path = tour.at.meeting
    for name in ("ben", "cleo"):
        for answer in ("yes", "yes", "maybe"):
            tour.put(name, f"{path}/attendance", {"answer": answer})
        tour.put(name, f"{path}/attendance", {"answer": "no"}, MINIMAL)
    for _ in range(2):
        tour.put("ada", f"{path}/attendance", {"answer": "yes"}, {"Idempotency-Key": "come"})
    tour.pages("cleo", f"{path}/attendances")


def calendars(tour):
    at, path = tour.at, f"{tour.at.club}/calendars"
    for _ in range(2):
        answer = tour.post("cleo", path, fields={"Idempotency-Key": "calendar"})
        at.calendar = getattr(at, "calendar", None) or answer.json["path"]
    at.calendar_id = answer.id
    more = tour.post("cleo", path)
    tour.post("cleo", path, fields=MINIMAL)
    tour.post("cleo", path, {"name": "with a body"})
    listed = tour.get("cleo", path)
    tour.get("cleo", path, {"If-None-Match": listed.etag})
    tour.get("ada", path)
    text = tour.get(None, at.calendar)
    tour.get(None, at.calendar, {"If-None-Match": text.etag})
    tour.ask(None, "HEAD", at.calendar)
    tour.get(None, at.calendar.removesuffix(".ics"))
    tour.get(None, "/v1/calendars/" + "x" * 43)
    tour.delete("ada", f"{path}/{more.id}")
    tour.delete("cleo", f"{path}/{more.id}", {"Idempotency-Key": "no-calendar"})
    tour.delete("cleo", f"{path}/{more.id}")
    tour.get(None, more.json["path"])
