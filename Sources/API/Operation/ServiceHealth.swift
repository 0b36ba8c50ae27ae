import JSON
import Model
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

    func write(to json: inout JSONWriter) {
        json.member("status", ascii: "ok")
        json.member("writes", ascii: writes)
        json.member("check", ascii: check)
        json.member("version", ProgramRelease.version)
        json.member("commit", ProgramRelease.commit.isEmpty ? nil : ProgramRelease.commit)
        json.member("schema", ProgramRelease.schema)
        json.member("sqlite", ProgramRelease.sqlite)
    }
}
