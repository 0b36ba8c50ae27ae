"""The refusals of each route. All routes get the same invalid requests: none is forgotten, and the order of the checks shows."""

UNKNOWN = "01234567-89ab-4cde-8f01-23456789abcd"


def each_route(tour):
    for one in tour.contract.operations:
        tour.turn_to(one.name)
        path = place(tour, one)
        body = known(bodies_of(tour), one.name) if one.has_body else None
        refused(tour, one, path, body)
        by_others(tour, one, path, body)
        if one.method == "GET":
            reading(tour, one, path)
        else:
            writing(tour, one, path, body)
    for template, path in {one.path: place(tour, one) for one in tour.contract.operations}.items():
        tour.turn_to(f"methods of {template}")
        tour.ask("ada", "OPTIONS", path)
        for method in ("PUT", "PATCH", "DELETE", "POST", "GET"):
            if tour.contract.operation(method, path) is None:
                tour.ask("ada", method, path)
    tour.turn_to("no paths")
    for path in ("/v1", "/v1/nowhere", "/v1/books/", f"/v1/books/{UNKNOWN}/more", "//v1/books", "/v1/clubs/%2e%2e/members"):
        tour.get("ada", path)


def place(tour, one):
    """Returns a path with existing ids for a route."""
    at = tour.at
    named = {"problem": "invalid", "readerId": at.ids["ben"], "invitationId": at.invitation, "removalId": at.removal, "requestId": at.asked, "bookId": at.books["years"],
             "runId": at.runs["years"], "milestoneId": at.milestone, "standingId": at.standing, "meetingId": at.meeting.split("/")[-1], "calendarId": at.calendar_id,
             "secret": at.calendar.split("/")[-1], "entryId": at.entry, "reaction": "like", "device": "phone", "name": "draft"}
    ids = {"readers": at.ids["ada"], "tokens": at.token, "books": at.own, "readings": at.reading, "cards": at.reading, "clubs": at.club_id,
           "requests": at.asked, "notes": at.note, "shelves": at.shelf.split("/")[-1]}
    path = one.path.replace("{id}", ids.get(one.path.split("/")[2], "")) if one.path.startswith("/v1") else one.path
    for name, value in named.items():
        path = path.replace("{" + name + "}", value)
    return path


def bodies_of(tour):
    """Returns a valid body for each route."""
    at = tour.at
    return {
        "PATCH /v1/me": {"name": "Somebody"}, "POST /v1/readers": {"name": "Frank"}, "PATCH /v1/readers/{id}": {"name": "Somebody"},
        "POST /v1/tokens": {"name": "more"}, "POST /v1/books": {"title": "More"}, "PUT /v1/books/{id}": {"title": "Other"},
        "PATCH /v1/books/{id}": {"title": "Other"}, "POST /v1/readings": {"book": at.own}, "PATCH /v1/readings/{id}": {"state": "paused"},
        "POST /v1/readings/{id}/entries": {"progress": 0.3}, "POST /v1/clubs": {"name": "More"}, "PATCH /v1/clubs/{id}": {"name": "Other"},
        "POST /v1/memberships": {"invitation": "none"}, "PATCH /v1/clubs/{id}/members/{readerId}": {"role": "member"},
        "POST /v1/clubs/{id}/invitations": {}, "POST /v1/requests": {"club": at.club_id}, "PATCH /v1/requests/{id}": {"state": "declined"},
        "POST /v1/clubs/{id}/runs": {"book": at.own}, "PATCH /v1/clubs/{id}/runs/{runId}": {"place": 9},
        "POST /v1/clubs/{id}/milestones": {"position": {"progress": 0.2}, "dueAt": "2035-01-01T00:00:00Z"},
        "PATCH /v1/clubs/{id}/milestones/{milestoneId}": {"name": "Other"}, "POST /v1/clubs/{id}/standings": {},
        "POST /v1/clubs/{id}/meetings": {"startsAt": "2035-01-01T00:00:00Z"}, "PATCH /v1/clubs/{id}/meetings/{meetingId}": {"title": "Other"},
        "PUT /v1/clubs/{id}/meetings/{meetingId}/attendance": {"answer": "maybe"}, "POST /v1/notes": {"book": at.own, "body": "More"},
        "PATCH /v1/notes/{id}": {"body": "Other"},
        "POST /v1/batch": {"atomic": True, "requests": [{"method": "PATCH", "path": "/v1/me", "body": {}}]},
        "PATCH /v1/settings": {"updateArtwork": True}, "PUT /v1/scenes/{device}/{name}": {"value": 7}, "PUT /v1/clubs/{id}/presence": {},
        "POST /v1/shelves": {"name": "More"}, "PATCH /v1/shelves/{id}": {"name": "Other"}, "PUT /v1/shelves/{id}/books/{bookId}": {"place": 9},
    }


def known(bodies, name):
    """Returns the body for a route; a PUT that creates uses the body of the POST."""
    return bodies.get(name, bodies.get(name.rsplit("/", 1)[0].replace("PUT ", "POST "), {}))


def owner(one):
    """Returns the reader who may use a route."""
    return "admin" if one.path.startswith(("/v1/readers", "/metrics")) else "ada"


def refused(tour, one, path, body):
    """Sends requests that are refused before any row is read."""
    actor = owner(one)
    if one.needs_token:
        tour.ask(None, one.method, path, body)
        tour.ask(None, one.method, path, body, {"Authorization": "Bearer lectern_" + "A" * 43})
    if one.method != "GET" and one.needs_token:
        tour.ask("looker", one.method, path, body)
    tour.ask(actor, one.method, path + "?nosuch=1", body)
    # A deletion has no body, so it would succeed whatever the Accept field: it gets an unknown id.
    is_deleted = one.method == "DELETE" and "{reaction}" not in one.path
    tour.ask(actor, one.method, f"{path.rsplit('/', 1)[0]}/{UNKNOWN}" if is_deleted else path, body, {"Accept": "image/png"})
    if one.has_body:
        tour.ask(actor, one.method, path)
        tour.ask(actor, one.method, path, b"title=x", {"Content-Type": "text/plain"})
        tour.ask(actor, one.method, path, b'{"a":')
        tour.ask(actor, one.method, path, [])
        tour.ask(actor, one.method, path, {"nosuch": 1})


def by_others(tour, one, path, body):
    """Sends requests without permission, and for missing resources."""
    if 403 in one.statuses or 404 in one.statuses:
        # A standing and a calendar are Cleo's own.
        for name in ("dora", "ben" if one.path.endswith(("{standingId}", "{calendarId}")) else "cleo"):
            tour.ask(name, one.method, path, body)
    actor = owner(one)
    if "{id}" in one.path:
        parts = path.split("/")
        for id in (UNKNOWN, "nonsense"):
            tour.ask(actor, one.method, "/".join(parts[:3] + [id] + parts[4:]), body)
        if one.path.count("{") == 2 and "reaction}" not in one.path:
            index = [number for number, part in enumerate(one.path.split("/")) if part.startswith("{")][1]
            tour.ask(actor, one.method, "/".join(parts[:index] + [UNKNOWN] + parts[index + 1:]), body)


def reading(tour, one, path):
    actor = owner(one)
    answer = tour.get(actor, path)
    for tag in (answer.etag, f'W/{answer.etag}', "*", '"x"'):
        if "etag" in answer.fields:
            tour.get(actor, path, {"If-None-Match": tag})
    if one.path not in ("/metrics", "/openapi.yaml"):
        tour.ask(actor, "HEAD", path)
    parameters = {name for where, name in one.parameters if where == "query"}
    if "cursor" in parameters:
        tour.pages(actor, path)
        tour.get(actor, f"{path}?cursor=AAAAAAAAAAAAAAAA")
    if "limit" in parameters:
        for limit in ("0", "5000", "x", "1&limit=2"):
            tour.get(actor, f"{path}?limit={limit}")
    if "book" in parameters:
        tour.get(actor, f"{path}?book=nonsense")
        tour.get(actor, f"{path}?book={UNKNOWN}")
    if "state" in parameters:
        tour.get(actor, f"{path}?state=none")


def writing(tour, one, path, body):
    actor = owner(one)
    headers = {name for where, name in one.parameters if where == "header"}
    if "Idempotency-Key" in headers:
        tour.ask(actor, one.method, path, body, {"Idempotency-Key": "two words"})
        tour.ask("admin", "PATCH", "/v1/me", {"name": "administrator"}, {"Idempotency-Key": "used"})
        tour.ask("ada", "PATCH", "/v1/me", {"name": "Ada"}, {"Idempotency-Key": "used"})
        if one.name != "PATCH /v1/me":
            tour.ask(actor, one.method, path, body, {"Idempotency-Key": "used"})
    if 412 in one.statuses:
        for tag in ('"x"', f'"{tour.epoch}-1"', f'W/"{tour.epoch}-1"', "none"):
            tour.ask(actor, one.method, path, body, {"If-Match": tag})
    if "If-None-Match" in headers:
        tour.ask(actor, one.method, path, body, {"If-None-Match": "*"})


WRONG = {
    "PATCH /v1/me": {"name": 7}, "POST /v1/readers": {"name": "", "role": "king"}, "PATCH /v1/readers/{id}": {"name": None, "role": None},
    "POST /v1/tokens": {"name": "a\nb", "scope": "all", "expiresAt": "tomorrow", "reader": "x"},
    "POST /v1/books": {"title": " ", "authors": ["", 7], "isbn": "1", "pageCount": 0, "language": "x", "publishedYear": 99999, "coverURL": "ftp:x"},
    "PUT /v1/books/{id}": {"authors": "x", "isbn": 1, "pageCount": 1.5, "language": 1, "publishedYear": "1", "coverURL": []},
    "PATCH /v1/books/{id}": {"title": None, "authors": None, "isbn": "978", "pageCount": -1, "language": "", "publishedYear": 1.5, "coverURL": ""},
    "POST /v1/readings": {"book": "x", "pageCount": 0, "isReread": None}, "PATCH /v1/readings/{id}": {"state": "none", "isFinished": 1, "pageCount": "x"},
    "POST /v1/readings/{id}/entries": {"progress": "x", "note": "\u0000", "device": "", "happenedAt": "x"}, "POST /v1/memberships": {"invitation": ""},
    "POST /v1/clubs": {"name": None, "description": 1, "visibility": "x", "moderatorsSeeAhead": None, "countsAhead": 1, "isArchived": "x"},
    "PATCH /v1/clubs/{id}": {"name": None, "description": "", "visibility": None, "moderatorsSeeAhead": 1, "countsAhead": None, "isArchived": None},
    "PATCH /v1/clubs/{id}/members/{readerId}": {"role": None, "shares": "all"}, "POST /v1/clubs/{id}/invitations": {"usesMax": 0, "expiresAt": "2001-01-01T00:00:00Z"},
    "POST /v1/requests": {"club": "x", "message": ""}, "PATCH /v1/requests/{id}": {"state": "waiting"},
    "POST /v1/clubs/{id}/runs": {"book": "x", "place": -1, "state": "x"}, "PATCH /v1/clubs/{id}/runs/{runId}": {"place": None, "state": None},
    "POST /v1/clubs/{id}/milestones": {"book": "x", "name": "", "position": {"progress": 2, "page": 0}, "dueAt": "x"},
    "PATCH /v1/clubs/{id}/milestones/{milestoneId}": {"name": 1, "position": None, "dueAt": None},
    "POST /v1/clubs/{id}/standings": {"book": 1, "reading": "x"},
    "POST /v1/clubs/{id}/meetings": {"title": "", "startsAt": "x", "timeZone": "x", "minutes": 0, "place": "", "link": "x", "agenda": 1, "book": "x", "position": {"progress": 0.1, "page": 1}},
    "PATCH /v1/clubs/{id}/meetings/{meetingId}": {"title": 1, "startsAt": None, "timeZone": None, "minutes": "x", "place": 1, "link": "", "agenda": "\u0001", "book": None, "position": {"progress": 0.1}},
    "PUT /v1/clubs/{id}/meetings/{meetingId}/attendance": {"answer": None}, "POST /v1/notes": {"book": None, "replyTo": 7, "entry": "x", "club": "x", "position": {"progress": -1, "page": "x"}, "body": ""},
    "PATCH /v1/notes/{id}": {"body": None},
    "POST /v1/batch": {"atomic": 1, "requests": [7, {"method": "GET", "path": "x", "ifMatch": "", "ifNoneMatch": 1}]},
    "PATCH /v1/settings": {"updateArtwork": 1, "syncProgress": None, "timeZone": "x", "defaultShareLevel": "x", "presence": "x"}, "PUT /v1/clubs/{id}/presence": {"book": 1, "reading": "x"},
    "POST /v1/shelves": {"name": "", "club": "x"}, "PATCH /v1/shelves/{id}": {"name": None, "club": 7}, "PUT /v1/shelves/{id}/books/{bookId}": {"place": -1},
}


def bodies(tour):
    """Sends bodies with an error in each member, all at once and each alone, and bodies that are not JSON."""
    for one in (one for one in tour.contract.operations if one.has_body):
        tour.turn_to(f"bodies of {one.name}")
        path, right, wrong = place(tour, one), known(bodies_of(tour), one.name), known(WRONG, one.name)
        actor = owner(one)
        tour.ask(actor, one.method, path, {**wrong, "nosuch": None})
        for name, value in wrong.items():
            tour.ask(actor, one.method, path, {**right, name: value})
    tour.turn_to("bodies that are none")
    for data in (b"", b" ", b"null", b"7", b'"x"', b'{"name":"a","name":"b"}', b'{"name":"\xff"}', b'{"name":"a"}x', b"\xef\xbb\xbf{}", b'{"name":"\\ud800"}', b"[" * 70):
        tour.patch("ada", "/v1/me", data)


def wire(tour):
    """Sends requests that no client would send."""
    top = f"GET /v1/me HTTP/1.1\r\nHost: lectern\r\nAuthorization: Bearer {tour.tokens['ada']}\r\n"
    for name, request in {
        "no host": "GET / HTTP/1.1\r\n\r\n", "two hosts": "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "no version": "GET /\r\n\r\n",
        "HTTP/1.0": "GET /healthz HTTP/1.0\r\n\r\n", "HTTP/2.0": "GET / HTTP/2.0\r\nHost: a\r\n\r\n", "unknown method": "BREW / HTTP/1.1\r\nHost: a\r\n\r\n",
        "long line": f"GET /{'x' * 9000} HTTP/1.1\r\nHost: a\r\n\r\n", "long fields": top + f"X: {'x' * 17000}\r\n\r\n", "many fields": top + "X: y\r\n" * 101 + "\r\n",
        "folded": top + "X: y\r\n z\r\n\r\n", "absolute": "GET http://other.example/ HTTP/1.1\r\nHost: a\r\n\r\n", "expectation": top + "Expect: something\r\n\r\n",
        "two lengths": top + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", "large body": f"POST /v1/books HTTP/1.1\r\nHost: a\r\nContent-Length: {1 << 21}\r\n\r\n",
        "twice": top + f"Authorization: Bearer {tour.tokens['ada']}\r\n\r\n", "basic": "GET /v1/me HTTP/1.1\r\nHost: a\r\nAuthorization: Basic eDp5\r\n\r\n",
        "asterisk": "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
    }.items():
        tour.wire.close()
        tour.ask(f"by hand, {name}", "RAW", "/", raw=request.encode())
    tour.wire.close()
