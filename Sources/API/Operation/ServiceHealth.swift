import JSON
import Store

/// The health of the service. Its status is `ok` whenever it responds. It also reports a full disk, which stops writes
/// only, and a check of the database file.
struct ServiceHealth {
    private let writes: StaticString
    private let check: StaticString

    init(of store: Store) {
        writes = store.isOutOfSpace ? "out of space" : "ok"
        check =
            switch store.crashCheck.state {
            case .ok: "ok"
            case .running: "running"
            case .failed: "failed"
            }
    }

    func encoded() -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.name("status")
        json.string(ascii: "ok")
        json.name("writes")
        json.string(ascii: writes)
        json.name("check")
        json.string(ascii: check)
        json.name("version")
        json.string(ProgramRelease.version)
        json.name("commit")
        if ProgramRelease.commit.isEmpty { json.null() } else { json.string(ProgramRelease.commit) }
        json.name("schema")
        json.integer(Int64(ProgramRelease.schema))
        json.name("sqlite")
        json.string(ProgramRelease.sqlite)
        json.endObject()
        return json.bytes
    }
}
