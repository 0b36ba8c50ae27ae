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
            json.name("lastGoodAt")
            json.instant(backups.lastGood)
            json.endObject()
            return .document(DocumentResponse(json.bytes, "application/json", caching: .never))
        },
        Route(.post, "/v1/admin/backups", "createBackup", admission: .administrators) { call throws(LecternError) in
            var decoder = ObjectDecoder(try call.json())
            let kind: PatchedMember<RequestedBackupKind> = decoder.choice("kind")
            try decoder.demandValid()
            var wanted = BackupKind.kept
            if case .set(.fetched) = kind { wanted = .fetched }
            let backups = call.service.store.backups
            guard let backup = backups.ask(wanted) else {
                throw .limitReached(
                    limit: "fetchedBackupsMax", max: BackupSettings.fetchedMax,
                    "\(BackupSettings.fetchedMax) backups are being downloaded, which is the maximum. DELETE one, or wait until it ends."
                )
            }
            return .document(DocumentResponse(backup.encoded(), "application/json", status: 202, caching: .never))
        },
        Route(
            .get, "/v1/admin/backups/{backup}", "getBackup", parameters: ["piece"],
            admission: .administrators, localCommand: "lectern backup FILE", access: .write, watching: unwatched
        ) { call throws(LecternError) in
            let piece = try call.query.integer("piece", in: 0...Int32.max) ?? 0
            guard let id = call.text(0), let found = call.service.store.backups.piece(Int(piece), of: id) else {
                throw .notFound
            }
            switch found {
            case .bytes(let bytes):
                return .document(DocumentResponse(bytes, "application/octet-stream", caching: .never))
            case .notYet:
                return .document(DocumentResponse([], "application/octet-stream", status: 202, caching: .never))
            case .end: return .document(.nothing)
            }
        },
        Route(.delete, "/v1/admin/backups/{backup}", "deleteBackup", admission: .administrators) {
            call throws(LecternError) in
            guard let id = call.text(0), call.service.store.backups.discard(id) else { throw .notFound }
            return .document(.nothing)
        },
    ]
}

/// The purpose of a requested backup.
enum RequestedBackupKind: String, CaseIterable {
    case kept
    case fetched
}

extension Backup {
    func encoded() -> [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.name("id")
        json.string(id)
        json.name("kind")
        switch kind {
        case .kept: json.string(ascii: "kept")
        case .fetched: json.string(ascii: "fetched")
        case .upgrade: json.string(ascii: "upgrade")
        }
        json.name("state")
        json.string(state.rawValue)
        json.name("askedAt")
        json.instant(askedAt)
        json.name("seq")
        json.integer(seq)
        json.name("bytes")
        json.integer(bytes)
        json.name("reason")
        json.string(reason)
        json.endObject()
    }
}
