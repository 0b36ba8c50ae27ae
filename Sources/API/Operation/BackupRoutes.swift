import HTTPServer
import JSON
import Model
import Store

/// The routes of database backups. No request names a path: the settings determine the destination.
extension Route {
    private static let unwatched = RouteWatchSupport.no(because: "Backups run in the background: poll it.")

    static let backups: [Route] = [
        Route(.get, "/v1/admin/backups", "listBackups", admission: .administrators, watching: unwatched) { call in
            let backups = call.service.store.backups
            return .json { json in
                json.array("items", backups.all) { backup, json in json.object(backup.write) }
                json.member("lastGoodAt", backups.lastGood)
            }
        },
        Route(.post, "/v1/admin/backups", "createBackup", admission: .administrators) { call throws(RequestError) in
            var decoder = ObjectDecoder(try call.json())
            try decoder.demandValid()
            let backup = call.service.store.backups.ask()
            return .json(status: 202, backup.write)
        },
    ]
}

extension Backup {
    fileprivate func write(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("kind", "\(kind)")
        json.member("state", state.rawValue)
        json.member("askedAt", askedAt)
        json.member("seq", seq)
        json.member("bytes", bytes)
        json.member("reason", reason)
    }
}
