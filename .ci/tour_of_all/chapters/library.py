"""Books, and one reader's readings of them."""

from .people import MINIMAL

BOOKS = {
    "years": {"title": "Cien años de soledad", "authors": ["Gabriel García Márquez"], "isbn": "978-0-307-47472-8", "pageCount": 400,
              "language": "es", "publishedYear": 1967, "coverURL": "https://covers.example/years.jpg"},
    "kindred": {"title": "Kindred", "authors": ["Octavia E. Butler"], "pageCount": 264, "language": "en-US", "publishedYear": 1979},
    "wave": {"title": "海浪", "authors": ["Virginia Woolf", "曹元勇"], "language": "zh", "publishedYear": 1931},
    "plain": {"title": "A plain book"},
}


def catalogue(tour):
    at = tour.at
    at.books = {name: f"00000000-0000-4000-8000-0000000000b{place}" for place, name in enumerate(BOOKS)}
    for query in ("", "?q=garcia+marq", "?author=woolf", "?language=en", "?publishedFrom=1950&publishedTo=1970", "?isbn=9780307474728",
                  "?sort=-createdAt&limit=2", "?fields=title,authors"):
        tour.watch("ada", f"/v1/books{query}")
    for name, book in BOOKS.items():
        tour.put("lib", f"/v1/books/{at.books[name]}", book, {"If-None-Match": "*"})
    tour.put("lib", f"/v1/books/{at.books['plain']}", BOOKS["plain"], {"If-None-Match": "*"})
    at.own = tour.post("ada", "/v1/books", {"title": "Ada's own", "pageCount": 100, "authors": ["Ada"]}).id
    for path in (at.own, at.books["plain"]):
        tour.watch("ada", f"/v1/books/{path}")
    tour.watch("ada", f"/v1/books/{at.own}?fields=pageCount")
    change(tour)
    lists(tour)


def change(tour):
    at, own = tour.at, f"/v1/books/{tour.at.own}"
    tour.put("ada", f"/v1/books/00000000-0000-4000-8000-0000000000e1", {"title": "New, quietly"}, MINIMAL)
    tour.put("ada", f"/v1/books/00000000-0000-4000-8000-0000000000e2", {"title": "Not new"}, {"If-Match": "*"})
    book = tour.get("ada", own)
    tour.get("ada", own, {"If-None-Match": book.etag})
    tour.get("ada", own, {"If-None-Match": f'W/{book.etag}, "other"'})
    tour.put("ada", own, {"title": "Ada's own, again", "pageCount": 120}, {"If-Match": book.etag})
    tour.put("ada", own, {"title": "Ada's own, too late"}, {"If-Match": book.etag})
    tour.put("ada", own, {"title": "Ada's own, again", "pageCount": 120})
    tour.put("ada", own, {"title": "Ada's own", "pageCount": 120}, MINIMAL)
    tour.patch("ada", own, {"authors": ["Ada", "Grace"], "publishedYear": 2020, "pageCount": None})
    tour.patch("ada", own, {"authors": ["Ada", "Grace"]})
    tour.patch("ada", own, {"isbn": "0306406152", "language": "EN-gb"}, MINIMAL)
    tour.patch("ada", own, {}, MINIMAL)
    tour.patch("ada", own, {"title": "Ada’s own"}, {"Content-Type": "application/json", "If-Match": '"none-1", *'})
    tour.patch("ada", f"/v1/books/{at.books['plain']}", {"title": "Not mine"})
    tour.patch("lib", f"/v1/books/{at.books['plain']}", {"title": "A plain and garcia marquez book", "language": "en"})
    tour.patch("lib", f"/v1/books/{at.books['plain']}", {"title": "A plain book", "language": None})
    tour.delete("ada", f"/v1/books/{at.books['wave']}")
    for _ in range(2):
        answer = tour.post("ada", "/v1/books", {"title": "Once"}, {"Idempotency-Key": "book"})
    tour.watch("ada", f"/v1/books/{answer.id}")
    tour.delete("ada", f"/v1/books/{answer.id}", {"If-Match": '"nope"'})
    tour.delete("ada", f"/v1/books/{answer.id}", {"If-Match": answer.etag, "Idempotency-Key": "gone"})
    tour.delete("ada", f"/v1/books/{answer.id}", {"If-Match": answer.etag, "Idempotency-Key": "gone"})
    tour.delete("ada", f"/v1/books/{answer.id}")


def lists(tour):
    for sort in ("title", "publishedYear", "createdAt", "updatedAt"):
        tour.pages("ada", f"/v1/books?sort={sort}")
        tour.pages("ada", f"/v1/books?sort=-{sort}")
    for query in ("q=garc%C3%ADa", "q=soledad+cien", "q=nothing+at+all", "author=BUTLER", "isbn=0-307-47472-8", "isbn=1234567890", "language=en", "language=ES",
                  "publishedFrom=1970", "publishedTo=1970", "q=a&sort=-title&limit=100", "fields=title"):
        tour.get("dora", f"/v1/books?{query}")
    for query in ("sort=none", "limit=0", "limit=101", "limit=x", "publishedFrom=x", "language=%20", "q=", "cursor=AAAA", "cursor=", "q=a&q=b", "q=%ff", "fields=none"):
        tour.get("dora", f"/v1/books?{query}")
    first = tour.get("dora", "/v1/books?limit=1").json["next"]
    tour.get("dora", f"/v1/books?sort=createdAt&cursor={first}")


def readings(tour):
    at = tour.at
    for target in ("/v1/readings", "/v1/readings?state=finished", f"/v1/readings?book={at.books['years']}", "/v1/readings?fields=progress,state",
                   "/v1/cards", "/v1/cards?state=reading", f"/v1/cards?book={at.books['years']}", "/v1/cards?fields=title,progress"):
        tour.watch("ada", target)
    at.reading = tour.post("ada", "/v1/readings", {"book": at.books["years"]}).id
    for kind in ("readings", "cards"):
        tour.watch("ada", f"/v1/{kind}/{at.reading}")
        tour.watch("ada", f"/v1/{kind}/{at.reading}?fields=state,isFinished")
    tour.post("ada", "/v1/readings", {"book": at.books["years"]})
    tour.post("ada", "/v1/readings", {"book": "00000000-0000-4000-8000-00000000dead"})
    tour.post("ada", "/v1/readings", {"book": at.books["wave"], "pageCount": 200}, {**MINIMAL, "Idempotency-Key": "wave"})
    entries(tour)
    states(tour)
    for kind in ("readings", "cards"):
        for query in ("", "?state=reading", "?state=finished", f"?book={at.books['wave']}"):
            tour.pages("ada", f"/v1/{kind}{query}")
        one = tour.get("ada", f"/v1/{kind}/{at.reading}")
        tour.get("ada", f"/v1/{kind}/{at.reading}", {"If-None-Match": one.etag})
        tour.get("ben", f"/v1/{kind}/{at.reading}")
    tour.patch("lib", f"/v1/books/{at.books['years']}", {"title": "Cien años de soledad (1967)"})


def entries(tour):
    at, path = tour.at, f"/v1/readings/{tour.at.reading}/entries"
    for target in (path, f"{path}?limit=1"):
        tour.watch("ada", target)
    first = tour.post("ada", path, {"page": 172, "note": "Remedios ascends\n\tslowly", "device": "Ada's telephone"})
    at.entry = tour.post("ada", path, {"progress": 0.5}).id
    tour.watch("ada", f"{path}/{at.entry}")
    for target in (path, f"{path}/{at.entry}"):
        tour.watch("ben", target)
    tour.post("ada", path, {"progress": 0.1, "happenedAt": "2020-02-29T23:59:59.5+02:00", "note": ""})
    tour.post("ada", path, {"progress": 0.6}, MINIMAL)
    for _ in range(2):
        last = tour.post("ada", path, {"progress": 0.61234567}, {"Idempotency-Key": "entry"})
    tour.post("ada", path, {"progress": 0.7}, {"Idempotency-Key": "entry"})
    for body in ({"page": 401}, {"page": 1, "progress": 0.1}, {}, {"progress": 1.5}, {"progress": 0.1, "happenedAt": "2999-01-01T00:00:00Z"}, {"progres": 0.8}):
        tour.post("ada", path, body)
    tour.pages("ada", path)
    one = tour.get("ada", f"{path}/{first.id}")
    tour.get("ada", f"{path}/{first.id}", {"If-None-Match": one.etag})
    tour.get("ben", f"{path}/{first.id}")
    tour.watch("ada", f"{path}/{last.id}")
    tour.delete("ada", f"{path}/{last.id}", {"If-Match": '"none"'})
    tour.delete("ada", f"{path}/{last.id}", {"If-Match": last.etag})
    tour.delete("ada", f"{path}/{last.id}")


def states(tour):
    at, path = tour.at, f"/v1/readings/{tour.at.reading}"
    one = tour.get("ada", path)
    tour.patch("ada", path, {"state": "paused"}, {"If-Match": one.etag})
    tour.patch("ada", path, {"state": "paused"}, {"If-Match": one.etag})
    tour.patch("ada", path, {"state": "paused"})
    tour.patch("ada", path, {"isFinished": True})
    tour.post("ada", path + "/entries", {"progress": 0.9})
    tour.patch("ada", path, {"state": "reading", "isFinished": True})
    again = tour.post("ada", "/v1/readings", {"book": at.books["years"]})
    tour.patch("ada", path, {"isFinished": False})
    tour.delete("ada", f"/v1/readings/{again.id}")
    tour.patch("ada", path, {"isFinished": False}, MINIMAL)
    at.again = tour.post("ada", "/v1/readings", {"book": at.books["years"], "isReread": True, "pageCount": 450}).id
    tour.patch("ada", f"/v1/readings/{at.again}", {"pageCount": 500})
    tour.post("ada", f"/v1/readings/{at.again}/entries", {"page": 50})
    tour.patch("ada", f"/v1/readings/{at.again}", {"state": "abandoned"})
    tour.delete("ada", f"/v1/readings/{at.again}", {"If-Match": '"x"'})
