import HTTPServer
import Model
import Store

extension APIHandler {
    func createCalendar(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let secret = TokenSecret(prefix: "")
        return try commit(
            .createCalendar(of: id, secret.digest), request, viewer, &response,
            secret: Secret(name: "path", text: "/v1/calendars/\(secret.text).ics"), location: "")
    }

    func deleteCalendar(
        _ id: ResourceID, _ calendar: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        try commit(.deleteCalendar(calendar, of: id), request, viewer, &response)
    }

}
