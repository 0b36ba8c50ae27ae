import HTTPServer
import JSON
import Model
import Store

/// The routes of exports and imports, of accounts and of the whole server.
extension Route {
    private static let once = RouteWatchSupport.no(because: "It is a snapshot.")

    static let transfers: [Route] = [
        Route(.get, "/v1/me/export", "exportAccount", parameters: ["format", "reader"], watching: once) {
            call throws(RequestError) in
            let viewer = call.viewer
            if let id = try call.query.id("reader") { return try exportOfManaged(id, call) }
            let format: ExportFormat? = try call.query.choice("format")
            switch format ?? .jsonl {
            case .jsonl: return .deferred(.export(.lines(.account(viewer.reader, key: viewer.readerKey)), call.viewer))
            case .csv: return .deferred(.export(.table(of: viewer.readerKey), call.viewer))
            case .markdown: return .deferred(.export(.text(of: viewer.readerKey), call.viewer))
            }
        },
        Route(
            .get, "/v1/admin/export", "exportEverything", parameters: ["reader"], admission: .administrators,
            localCommand: "lectern export FILE", access: .write, watching: once
        ) { call throws(RequestError) in
            guard let id = try call.query.id("reader") else {
                return .deferred(.export(.lines(.everything), call.viewer))
            }
            guard let reader = try call.reads.reader(id) else { throw .notFound }
            return .deferred(.export(.lines(.account(reader.id, key: reader.key)), call.viewer))
        },
        Route(.post, "/v1/me/import", "importAccount") { call throws(RequestError) in
            let draft = try ImportDraft(call.json(limits: ImportDraft.limits), needsAccount: true)
            let context = ImportContext(
                account: draft.account ?? call.viewer.reader, target: call.viewer.reader, replaces: draft.replaces)
            return .batch(draft.lines, context, call)
        },
        Route(
            .post, "/v1/admin/import", "importEverything", admission: .administrators,
            localCommand: "lectern import FILE"
        ) { call throws(RequestError) in
            let draft = try ImportDraft(call.json(limits: ImportDraft.limits), needsAccount: false)
            // Checking a password against an imported hash costs as much as the hash says, so its memory is bounded.
            let most = max(32, call.service.accounts.settings.passwordMebibytes)
            let context = ImportContext(
                account: draft.account, target: draft.account, replaces: draft.replaces, passwordMebibytesMax: most)
            return .batch(draft.lines, context, call)
        },
    ]

    /// Returns the export of a managed account, for its guardian.
    private static func exportOfManaged(_ id: ResourceID, _ call: borrowing RouteCall) throws(RequestError)
        -> RouteReply
    {
        try call.viewer.demandWriting()
        let format: ExportFormat? = try call.query.choice("format")
        guard format ?? .jsonl == .jsonl else { throw call.query.refusal("format", "must be jsonl") }
        guard let reader = try call.reads.reader(id), reader.guardian == call.viewer.reader else { throw .notFound }
        return .deferred(.export(.lines(.account(reader.id, key: reader.key, isManaged: true)), call.viewer))
    }
}

extension RouteReply {
    /// Returns the reply that imports lines one by one. A refused line does not affect the others.
    fileprivate static func batch(_ lines: [JSONValue], _ context: ImportContext, _ call: borrowing RouteCall)
        -> RouteReply
    {
        let (viewer, now, log) = (call.viewer, call.now, call.service.log)
        let commands = lines.map { line in
            BatchCommand.success((.importLine(line, context), CommandActor(viewer, at: now)))
        }
        let batch = Batch(commands, isAtomic: false, isRepeatable: true) { ImportResponse.encoded($0, log) }
        return .commit(Command(batch), location: .ofBatch(isMinimal: false))
    }
}

/// The format of an export.
private enum ExportFormat: String, CaseIterable {
    case jsonl
    case csv
    case markdown
}
