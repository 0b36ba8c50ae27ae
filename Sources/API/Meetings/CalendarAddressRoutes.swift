import HTTPServer
import Model
import ObservableModels
import Store

/// The routes of calendars: secret URLs at which other programs read a club's meetings and milestones.
extension Route {
    static let calendars: [Route] = [
        Route(
            .get, "/v1/clubs/{id}/calendars", "listCalendars", parameters: paged(), watching: .whole
        ) {
            call throws(RequestError) in
            let club = try call.club(.see)
            return try call.list(
                ReadConnection.calendars, where: .having("club", club.id),
                watch: .view(of: [.list(.calendar, call.viewer.scope)], club: club.key))
        },
        Route(
            .get, "/v1/calendars/{secret}", "getCalendar", admission: .anyone,
            watching: .no(because: "It is for calendar programs, which poll it.")
        ) { call throws(RequestError) in
            guard let name = call.text(0), name.utf8.count <= 100 else { throw .notFound }
            let secret = name.hasSuffix(".ics") ? String(name.dropLast(4)) : name
            let reads = call.reads
            let text = try reads.read { () throws(RequestError) in
                guard let found = try reads.calendar(digest: TokenSecret.digest(of: secret)) else {
                    throw RequestError.notFound
                }
                var titles: [ResourceID: String] = [:]
                for book in Set(found.meetings.compactMap(\.book) + found.milestones.map(\.book)) {
                    titles[book] = try reads.book(book)?.title
                }
                return ClubCalendarDocument(found.club, found.meetings, found.milestones, titles: titles).bytes
            }
            return .document(.own(text, "text/calendar; charset=utf-8"))
        },
        Route(.post, "/v1/clubs/{id}/calendars", "createCalendar") { call throws(RequestError) in
            let (club, secret) = (try call.id(0), TokenSecret(prefix: ""))
            let path = ShownSecret(name: "path", text: "/v1/calendars/\(secret.text).ics")
            return .commit(.createCalendar(of: club, secret.digest), location: .secret, secret: path)
        },
        deleting("/v1/clubs/{id}/calendars/{calendarId}", "deleteCalendar") { .deleteCalendar($0[1], of: $0[0]) },
    ]
}
