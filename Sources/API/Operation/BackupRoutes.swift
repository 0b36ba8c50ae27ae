import HTTPServer
import JSON
import Model
import Store

/// The routes of database backups. No request names a path or a command: the settings determine the destination and
/// what happens to backups.
extension Route {
    private static let unwatched = RouteWatchSupport.no(because: "Backups run in the background: poll it.")

    static let backups: [Route] = [
        Route(.get, "/v1/admin/backups", "listBackups", admission: .administrators, watching: unwatched) { call in
            let backups = call.service.store.backups
            var json = JSONWriter(capacity: 1024)
            json.beginObject()
            json.name("items")
            json.beginArray()
            for backup in backups.all { backup.write(to: &json) }
            json.endArray()
            json.member("lastGoodAt", backups.lastGood)
            json.endObject()
            return .document(DocumentResponse(json.bytes, "application/json", caching: .never))
        },
        Route(.post, "/v1/admin/backups", "createBackup", admission: .administrators) { call throws(RequestError) in
            var decoder = ObjectDecoder(try call.json())
            try decoder.demandValid()
            let backup = call.service.store.backups.ask()
            return .document(DocumentResponse(backup.encoded(), "application/json", status: 202, caching: .never))
        },
    ]
}

extension Backup {
    func encoded() -> [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.name("kind")
        switch kind {
        case .kept: json.string(ascii: "kept")
        case .upgrade: json.string(ascii: "upgrade")
        }
        json.member("state", state.rawValue)
        json.member("askedAt", askedAt)
        json.member("seq", seq)
        json.member("bytes", bytes)
        json.member("reason", reason)
        json.endObject()
    }
}
