extension RouterTests {
    static let rows: [Row] = [
        Row(
            says: "the root tells what this is without a token", request: "GET /", by: "", status: 200,
            contains: ["/openapi.yaml"]),
        Row(
            says: "health needs no token", request: "GET /healthz", by: "", status: 200, contains: ["\"status\":\"ok\""]
        ),
        Row(says: "everything else does", request: "GET /v1/books", by: "", status: 401, contains: ["needs a token"]),
        Row(says: "an unknown token is refused", request: "GET /v1/me", by: "lectern_no", status: 401),
        Row(says: "a reader sees itself", request: "GET /v1/me", status: 200, contains: ["\"name\":\"ada\""]),
        Row(
            says: "a reader renames itself", request: "PATCH /v1/me", body: "{\"name\":\"Ada\"}", status: 200,
            contains: ["\"Ada\""], events: ["reader updated: name"]),
        Row(says: "a reader does not see readers", request: "GET /v1/readers", status: 403),
        Row(says: "a reader makes no readers", request: "POST /v1/readers", body: "{\"name\":\"x\"}", status: 403),
        Row(
            says: "the last administrator stays one", request: "PATCH /v1/me", body: "{\"role\":\"reader\"}",
            by: "admin", status: 409),
        Row(says: "a read token reads", request: "GET /v1/books", by: "read", status: 200),
        Row(
            says: "a read token does not write", request: "POST /v1/books", body: "{\"title\":\"x\"}", by: "read",
            status: 403),
        Row(
            says: "a book is made", request: "POST /v1/books",
            body: "{\"title\":\"Kindred\",\"isbn\":\"0-8070-8369-0\"}", status: 201,
            contains: ["\"isbn\":\"9780807083697\""], events: ["book created"]),
        Row(
            says: "a book is made under a chosen id", request: "PUT /v1/books/01890000-0000-7000-8000-000000000001",
            body: "{\"title\":\"Dawn\"}", status: 201, events: ["book created"]),
        Row(
            says: "a book without a title is refused by name", request: "POST /v1/books", body: "{}", status: 422,
            contains: ["/title", "is required"]),
        Row(
            says: "a title of spaces and invisible characters is refused", request: "POST /v1/books",
            body: "{\"title\":\" \\u200b\\u3164\"}", status: 422, contains: ["/title", "must have a visible character"]),
        Row(
            says: "an invisible name is refused", request: "PATCH /v1/me", body: "{\"name\":\"\\u2060\"}", status: 422,
            contains: ["/name", "must have a visible character"]),
        Row(
            says: "an unknown member is refused by name", request: "POST /v1/books",
            body: "{\"title\":\"x\",\"titel\":\"y\"}", status: 422, contains: ["/titel", "did you mean \\\"title\\\"?"]),
        Row(
            says: "an unknown parameter is refused with what was probably meant", request: "GET /v1/books?limt=1",
            status: 400, contains: ["Did you mean \\\"limit\\\"?"]),
        Row(
            says: "an entry without a place is refused with where thoughts belong",
            request: "POST /v1/readings/{reading}/entries",
            body: "{\"note\":\"Hm.\"}", status: 422, contains: ["unless page or position is given", "POST /v1/notes"]),
        Row(
            says: "a repeated member is refused", request: "POST /v1/books", body: "{\"title\":\"x\",\"title\":\"y\"}",
            status: 422, contains: ["/title"]),
        Row(
            says: "a wrong check digit is refused", request: "POST /v1/books",
            body: "{\"title\":\"x\",\"isbn\":\"9780807083698\"}", status: 422, contains: ["/isbn"]),
        Row(
            says: "what is no JSON is refused with its position", request: "POST /v1/books", body: "{\"title\":}",
            status: 400, contains: ["byte 9"]),
        Row(
            says: "what does not say that it is JSON is refused", request: "POST /v1/books", body: "title=x",
            fields: ["Content-Type: text/plain"], status: 415),
        Row(
            says: "a compressed body is refused", request: "POST /v1/books", body: "{\"title\":\"x\"}",
            fields: ["Content-Encoding: gzip"], status: 415, contains: ["without Content-Encoding"]),
        Row(says: "a page is sent to programs, too", request: "GET /docs", status: 200, contains: ["<html"]),
        Row(
            says: "an answer that is not wanted is not given", request: "GET /v1/books", fields: ["Accept: image/png"],
            status: 406),
        Row(says: "an unknown method is answered with those there are", request: "DELETE /v1/books", status: 405),
        Row(says: "an unknown path is not found", request: "GET /v1/bookes", status: 404),
        Row(says: "an id that is none is not found", request: "GET /v1/books/7", status: 404),
        Row(
            says: "an unknown query parameter is refused by name", request: "GET /v1/books?autor=x", status: 400,
            contains: ["autor"]),
        Row(
            says: "a patch changes what it says", request: "PATCH /v1/books/{book}", body: "{\"pageCount\":301}",
            status: 200, contains: ["301"], events: ["book updated: pageCount"]),
        Row(
            says: "a patch that changes nothing makes no event", request: "PATCH /v1/books/{book}",
            body: "{\"pageCount\":300}", status: 200),
        Row(
            says: "a patch with null clears", request: "PATCH /v1/books/{book}", body: "{\"language\":null}",
            fields: ["Content-Type: application/merge-patch+json"], status: 200, events: ["book updated: language"]),
        Row(
            says: "a title cannot be cleared", request: "PATCH /v1/books/{book}", body: "{\"title\":null}", status: 422,
            contains: ["/title"]),
        Row(
            says: "If-Match of another state is refused", request: "PATCH /v1/books/{book}", body: "{\"title\":\"x\"}",
            fields: ["If-Match: \"00000000-1\""], status: 412),
        Row(
            says: "If-None-Match: * refuses to write over", request: "PUT /v1/books/{book}", body: "{\"title\":\"x\"}",
            fields: ["If-None-Match: *"], status: 412),
        Row(says: "a book that someone reads stays", request: "DELETE /v1/books/{book}", status: 409),
        Row(
            says: "a book that nobody reads goes", request: "DELETE /v1/books/{unread}", status: 204,
            events: ["book deleted"]),
        Row(
            says: "a reading is begun", request: "POST /v1/readings", body: "{\"book\":\"{unread}\"}", status: 201,
            contains: ["\"number\":1", "\"isReread\":false"], events: ["reading created"]),
        Row(
            says: "a second reading of a book is a re-read", request: "POST /v1/readings",
            body: "{\"book\":\"{book}\",\"isReread\":true}", status: 201,
            contains: ["\"number\":2", "\"isReread\":true"], events: ["reading created"]),
        Row(
            says: "a reading of no book is refused", request: "POST /v1/readings",
            body: "{\"book\":\"01890000-0000-7000-8000-00000000dead\"}", status: 422, contains: ["/book"]),
        Row(
            says: "an entry moves the reading", request: "POST /v1/readings/{reading}/entries",
            body: "{\"progress\":0.5,\"note\":\"hm\"}", status: 201, contains: ["\"progress\":0.5", "\"page\":150"],
            events: ["entry created", "reading updated: progress page latestEntry latestEntryAt"]),
        Row(
            says: "an entry by page knows its progress", request: "POST /v1/readings/{reading}/entries",
            body: "{\"page\":129}", status: 201, contains: ["\"progress\":0.43"],
            events: ["entry created", "reading updated: progress page latestEntry latestEntryAt"]),
        Row(
            says: "a page beyond the last is refused", request: "POST /v1/readings/{reading}/entries",
            body: "{\"page\":301}", status: 422, contains: ["/page", "300"]),
        Row(
            says: "progress beyond the end is refused", request: "POST /v1/readings/{reading}/entries",
            body: "{\"progress\":1.01}", status: 422, contains: ["/progress"]),
        Row(
            says: "an entry needs a position", request: "POST /v1/readings/{reading}/entries", body: "{\"note\":\"x\"}",
            status: 422, contains: ["/progress"]),
        Row(
            says: "an entry of the future is refused", request: "POST /v1/readings/{reading}/entries",
            body: "{\"progress\":0.1,\"happenedAt\":\"2999-01-01T00:00:00Z\"}", status: 422,
            contains: ["/happenedAt", "at most a day after"]),
        Row(
            says: "a time that is in the year 10000 in UTC is refused", request: "POST /v1/readings/{reading}/entries",
            body: "{\"progress\":0.1,\"happenedAt\":\"9999-12-31T23:59:59-14:00\"}", status: 422,
            contains: ["/happenedAt", "0001 to 9999"]),
        Row(
            says: "an entry of the past joins the history only", request: "POST /v1/readings/{reading}/entries",
            body: "{\"progress\":0.1,\"happenedAt\":\"2020-01-01T00:00:00Z\"}", status: 201, events: ["entry created"]),
        Row(
            says: "a finished reading takes no entry and says how to reopen",
            request: "POST /v1/readings/{finished}/entries", body: "{\"progress\":0.1}", status: 409,
            contains: ["isFinished"]),
        Row(
            says: "finishing shows the whole", request: "PATCH /v1/readings/{reading}", body: "{\"isFinished\":true}",
            status: 200, contains: ["\"progress\":1,", "\"page\":300"],
            events: ["reading updated: state isFinished progress page finishedAt"]),
        Row(
            says: "reopening falls back to the latest entry", request: "PATCH /v1/readings/{finished}",
            body: "{\"isFinished\":false}", status: 200, contains: ["\"progress\":0.25", "\"state\":\"reading\""],
            events: ["reading updated: state isFinished progress finishedAt"]),
        Row(
            says: "a reading that says when it was finished is", request: "PATCH /v1/readings/{reading}",
            body: "{\"startedAt\":\"2019-01-01T00:00:00Z\",\"finishedAt\":\"2019-02-01T00:00:00Z\"}", status: 200,
            contains: ["\"finishedAt\":\"2019-02-01T00:00:00.000Z\""],
            events: ["reading updated: state isFinished progress page finishedAt startedAt"]),
        Row(
            says: "what is known is said", request: "PUT /v1/books/{unread}/knowledge", body: "{}", status: 201,
            contains: ["\"through\":null", "\"progress\":1"], events: ["knowledge created"]),
        Row(
            says: "what is known is its reader's", request: "GET /v1/books/{dawn}/knowledge", by: "ben", status: 404),
        Row(
            says: "what is not known is not taken back", request: "DELETE /v1/books/{dawn}/knowledge", status: 404),
        Row(
            says: "a reading is rated", request: "PUT /v1/readings/{finished}/rating", body: "{\"stars\":4.5}",
            status: 201, contains: ["\"stars\":4.5", "\"noteId\":null"], events: ["rating created"]),
        Row(
            says: "a reading is rated in half stars", request: "PUT /v1/readings/{finished}/rating",
            body: "{\"stars\":4.2}", status: 422, contains: ["/stars", "steps of 0.5"]),
        Row(
            says: "a review is one's own note", request: "PUT /v1/readings/{finished}/rating",
            body: "{\"stars\":4,\"noteId\":\"{book}\"}", status: 422, contains: ["/noteId"]),
        Row(
            says: "others do not rate it", request: "PUT /v1/readings/{finished}/rating", body: "{\"stars\":4.5}",
            by: "ben", status: 404),
        Row(
            says: "a rating that is not there is not deleted", request: "DELETE /v1/readings/{finished}/rating",
            status: 404),
        Row(
            says: "a state and its opposite are refused", request: "PATCH /v1/readings/{reading}",
            body: "{\"state\":\"paused\",\"isFinished\":true}", status: 422, contains: ["/isFinished"]),
        Row(
            says: "an entry's note is made with it", request: "POST /v1/readings/{reading}/entries",
            body: "{\"progress\":0.5,\"note\":{\"quote\":\"hm\",\"kind\":\"quote\"}}", status: 201,
            contains: ["\"note\":\"hm\"", "\"noteId\":"],
            events: ["entry created", "reading updated: progress page latestEntry latestEntryAt", "note created"]),
        Row(
            says: "a note of an entry says what it is", request: "POST /v1/readings/{reading}/entries",
            body: "{\"progress\":0.5,\"note\":{\"body\":\"hm\",\"kind\":\"hm\"}}", status: 422,
            contains: ["/note/kind", "thought, quote, question, prediction"]),
        Row(
            says: "an entry that is there gets a note", request: "POST /v1/notes",
            body: "{\"entry\":\"{entry}\",\"body\":\"hm\"}", status: 201,
            contains: ["\"body\":\"hm\"", "\"progress\":0.25"],
            events: ["note created", "entry updated: note noteId"]),
        Row(
            says: "a note is made of an entry that says something",
            request: "POST /v1/notes", body: "{\"entry\":\"{entry}\"}", status: 422, contains: ["/body"]),
        Row(
            says: "what becomes of the note of an entry that is undone is one of two",
            request: "DELETE /v1/readings/{reading}/entries/{entry}?note=hide", status: 400,
            contains: ["delete, keep"]),
        Row(
            says: "undoing the latest entry falls back", request: "DELETE /v1/readings/{reading}/entries/{entry}",
            status: 204, events: ["entry deleted", "reading updated: progress page latestEntry latestEntryAt"]),
        Row(
            says: "deleting a reading is one event", request: "DELETE /v1/readings/{reading}", status: 204,
            events: ["reading deleted"]),
        Row(
            says: "somebody else's reading is not found", request: "GET /v1/readings/{reading}", by: "ben", status: 404),
        Row(says: "nor by an administrator", request: "GET /v1/readings/{reading}", by: "admin", status: 404),
        Row(says: "nor its card", request: "GET /v1/cards/{reading}", by: "ben", status: 404),
        Row(says: "nor its entries", request: "GET /v1/readings/{reading}/entries", by: "ben", status: 404),
        Row(
            says: "nor changed", request: "PATCH /v1/readings/{reading}", body: "{\"state\":\"paused\"}", by: "ben",
            status: 404),
        Row(
            says: "nor added to", request: "POST /v1/readings/{reading}/entries", body: "{\"progress\":0.1}", by: "ben",
            status: 404),
        Row(
            says: "a card shows book and progress", request: "GET /v1/cards/{reading}", status: 200,
            contains: ["\"title\":\"Cien años\"", "\"progress\":0.25"]),
        Row(says: "metrics are for administrators", request: "GET /metrics", status: 403),
        Row(
            says: "metrics are told to them", request: "GET /metrics", by: "admin", status: 200,
            contains: ["lectern_commits_total"]),
        Row(
            says: "a search ignores accents and completes the last word", request: "GET /v1/books?q=garcia+marq",
            status: 200, contains: ["Cien años"]),
        Row(
            says: "an author is found by any of the names", request: "GET /v1/books?author=gabriel", status: 200,
            contains: ["Cien años"]),
        Row(says: "a cursor that no page gave is refused", request: "GET /v1/books?cursor=zz", status: 409),
    ]
}
