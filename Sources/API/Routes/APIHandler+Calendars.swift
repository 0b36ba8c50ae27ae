import HTTPServer
import Model
import Store

extension APIHandler {
    func listCalendars(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        _ = try Query(request, known: [])
        guard let (_, member) = try reads.club(id, of: viewer.readerKey) else { throw .notFound }
        return try answer(
            list: { () throws(LecternError) in
                Page(whole: try self.reads.calendars(of: member)).encoded(
                    epoch, seq: try self.reads.lastSeq(of: viewer.scope))
            }, request, &response)
    }

    func createCalendar(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let now = Instant.now
        let secret = TokenSecret(prefix: "")
        return try commit(
            CreateCalendar(id: ResourceID(madeAt: now), club: id, digest: secret.digest, viewer: viewer, now: now),
            request, viewer, &response, secret: Secret(name: "path", text: "/v1/calendars/\(secret.text).ics"),
            location: "")
    }

    func deleteCalendar(
        _ id: ResourceID, _ calendar: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        try commit(DeleteCalendar(id: calendar, club: id, viewer: viewer), request, viewer, &response)
    }

    /// A club's calendar, for whoever has its address: programs that show calendars send no tokens.
    func getCalendar(_ captures: Captures, _ request: borrowing Request, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        _ = try Query(request, known: [])
        guard let name = captures.text(0, in: request.path), name.utf8.count <= 100 else { throw .notFound }
        let secret = name.hasSuffix(".ics") ? String(name.dropLast(4)) : name
        let text = try read { () throws(LecternError) -> [UInt8]? in
            guard let found = try self.reads.calendar(digest: SHA256.digest(of: Array(secret.utf8))) else { return nil }
            var titles: [ResourceID: String] = [:]
            for book in Set(found.meetings.compactMap(\.book) + found.milestones.map(\.book)) {
                titles[book] = try self.reads.book(book)?.title
            }
            return CalendarText(found.club, found.meetings, found.milestones, titles: titles).bytes
        }
        guard let text else { throw .notFound }
        return answer(
            body: text, tag: ETag.bytes(hashing: text), type: "text/calendar; charset=utf-8", request, &response)
    }
}
