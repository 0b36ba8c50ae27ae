import HTTPServer
import Model
import Store

extension APIHandler {
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

}
