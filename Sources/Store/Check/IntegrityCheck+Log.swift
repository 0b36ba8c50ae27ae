import CSQLite
import JSON
import Model

extension IntegrityCheck {
    /// Compares a table with the log. Each row must equal the value of its last change, if the log still has it.
    /// Resources whose last change is a deletion must be gone, and all others must exist, except those deleted with a
    /// reading or a club.
    @_semantics("optimize.sil.specialize.generic.never")
    static func rows<Stored: ResourceTable>(
        _: Stored.Type, in table: StoredTable, _ connection: SQLiteConnection
    ) throws(SQLiteError) -> [String] {
        try current(Stored.self, in: table, connection) + missing(Stored.self, in: table, connection)
    }

    @_semantics("optimize.sil.specialize.generic.never")
    private static func current<Stored: ResourceTable>(
        _: Stored.Type, in table: StoredTable, _ connection: SQLiteConnection
    ) throws(SQLiteError) -> [String] {
        var found: [String] = []
        let floor = try connection.number("SELECT min(seq) FROM changes") ?? 0
        let derived =
            try ReaderDeparture.isIncomplete(in: connection)
            ? table.derived.union(table.derivedOfLeaving) : table.derived
        let rows = try connection.statement(
            once: "SELECT \(Stored.rows.columns) FROM \(Stored.rows.joins) WHERE \(Stored.rows.isThere)")
        defer { rows.reset() }
        while found.count < findingsMax, try rows.step() {
            let stored = try Stored.row(rows)
            let row = stored.encoded()
            guard let shown = ResourceRepresentation(row), let version = shown["version"]?.integer,
                let id = shown["id"]?.string.flatMap({ ResourceID($0) })
            else {
                found.append("\(table.name): cannot read a row")
                continue
            }
            guard version >= floor else { continue }
            guard let logged = try value(of: Stored.kind, id, at: version, connection) else {
                found.append(
                    "\(table.name): \(id) has version \(version), but that change in the log is for something else")
                continue
            }
            if let member = difference(row, logged.value, except: derived) {
                found.append("\(table.name): \(id) has another \(member) than the log")
            }
            // A standing with a separate version for moderators may have been visible to the whole club before.
            if logged.scope != Stored.scope(of: stored), table.audience != .itsClubOrPlainMembers {
                found.append("\(table.name): change \(version) of \(id) has another audience than its row")
            }
        }
        return found
    }

    /// Compares the last change of each resource with its row. The copies of a join request's changes for its reader
    /// are left out.
    @_semantics("optimize.sil.specialize.generic.never")
    private static func missing<Stored: ResourceTable>(
        _: Stored.Type, in table: StoredTable, _ connection: SQLiteConnection
    ) throws(SQLiteError) -> [String] {
        let (table, version) = (table.name, Stored.rows.version)
        let last = try connection.statement(
            once: """
                WITH last AS (SELECT resource, max(seq) AS seq, operation, value, scope FROM changes
                    WHERE kind = \(Stored.kind.rawValue) AND operation < 4 AND \(LogRedaction.isKept)
                        \(excludesCopiesToReader(Stored.kind)) GROUP BY resource)
                SELECT last.resource, last.operation = 3, \(version), last.seq, last.value, last.scope FROM last
                LEFT JOIN \(table) ON \(table).id = last.resource AND \(Stored.rows.isThere)
                WHERE \(version) IS NOT CASE last.operation WHEN 3 THEN NULL ELSE last.seq END
                """)
        defer { last.reset() }
        var found: [String] = []
        while found.count < findingsMax, try last.step() {
            let id = last.id(0)
            if last.integer(1) != 0 {
                found.append("\(table): \(id) exists, but was deleted by change \(last.integer(3))")
            } else if let version = last.optionalInteger(2) {
                found.append("\(table): \(id) has version \(version), but its last change is \(last.integer(3))")
            } else if let value = try last.logged(4, "value", seq: last.integer(3), id: id),
                try !isGone(with: value, after: last.integer(3), scope: last.integer(5), connection)
            {
                found.append("\(table): \(id) is only in the log")
            }
        }
        return found
    }

    /// Returns a condition that leaves out changes for one reader that repeat what others receive, or received before.
    private static func excludesCopiesToReader(_ kind: ResourceKind) -> String {
        switch kind {
        case .joinRequest: "AND scope < 0"
        case .standing, .moderatorStanding: "AND changes.reader <= 0"
        default: ""
        }
    }

    /// Returns a Boolean value indicating whether the reading or club was deleted after the change `seq`, and the
    /// resource with it. An import may have created the reading or club again.
    private static func isGone(
        with value: [UInt8], after seq: Int64, scope: Int64, _ connection: SQLiteConnection
    ) throws(SQLiteError) -> Bool {
        guard let shown = ResourceRepresentation(value) else { return false }
        let kept = "NOT EXISTS (SELECT 1 FROM changes WHERE operation = 3 AND resource = ?1 AND kind = ?3 AND seq > ?2)"
        func exists(_ table: String, _ kind: ResourceKind, _ member: String) throws(SQLiteError) -> Bool {
            guard let id = shown[member]?.string.flatMap({ ResourceID($0) }) else { return true }
            return try connection.statement(once: "SELECT 1 FROM \(table) WHERE id = ?1 AND \(kept)").bind(
                id, seq, Int64(kind.rawValue)
            ).hasRow()
        }
        if scope < 0 {
            let club = try connection.statement("SELECT 1 FROM clubs WHERE key = -?1").bind(scope)
            if try !club.hasRow() { return true }
        }
        if try !exists("clubs", .club, "club") { return true }
        return try !exists("readings", .reading, "reading")
    }

    /// Checks the log itself: each change must be readable, and must have replaced the value that the change before it
    /// left.
    static func log(_ connection: SQLiteConnection) throws(SQLiteError) -> [String] {
        let floor = try connection.number("SELECT min(seq) FROM changes") ?? 0
        // While a departure is in progress, only one of two consecutive changes may be redacted yet.
        let isRedacted = try connection.number("SELECT 1 FROM departures LIMIT 1") != nil
        let rows = try connection.statement(
            once: """
                SELECT seq, kind, resource, operation, value, before, at, scope, reader FROM changes
                WHERE \(LogRedaction.isKept) ORDER BY seq
                """)
        defer { rows.reset() }
        var found: [String] = []
        while found.count < findingsMax, try rows.step() {
            let (seq, operation) = (rows.integer(0), ChangeOperation(rawValue: UInt8(rows.integer(3))))
            guard let kind = UInt8(exactly: rows.integer(1)).flatMap({ ResourceKind(rawValue: $0) }) else {
                found.append("changes: \(seq) is of an unknown kind")
                continue
            }
            guard operation?.isVisibilityChange != true else { continue }
            let value = try rows.logged(4, "value", seq: seq, id: rows.id(2))
            let before = try rows.logged(5, "before", seq: seq, id: rows.id(2))
            if let value { found += valueFindings(value, by: rows, kind) }
            guard let before else { continue }
            guard let old = value.map({ ResourceRepresentation.overlay(value: $0, before: before) }) ?? before,
                let version = ResourceRepresentation(old)?["version"]?.integer,
                version < seq || kind == .membership && version == seq
            else {
                found.append("changes: cannot read the value that \(seq) replaced")
                continue
            }
            guard version >= floor, version < seq, try !LogRedaction.isEmptied(version, in: connection)
            else { continue }
            let logged = try Self.value(of: kind, rows.id(2), at: version, connection)
            if logged.map({ difference(old, $0.value, except: ["lastUsedOn", "isCurrent"], isRedacted) != nil }) ?? true
            {
                found.append("changes: the value that \(seq) replaced differs from the value of \(version)")
            }
        }
        return found
    }

    /// Returns the findings about the value in a change, which must contain the change's resource, number and time.
    private static func valueFindings(_ value: [UInt8], by row: SQLiteStatement, _ kind: ResourceKind) -> [String] {
        let (shown, seq) = (ResourceRepresentation(value), row.integer(0))
        var found: [String] = []
        if shown?["id"]?.string.flatMap({ ResourceID($0) }) != row.optionalID(2) {
            found.append("changes: \(seq) has the value of another resource")
        }
        // The copy of a join request's change for its reader follows the change for the moderators and has its version.
        let isCopy = kind == .joinRequest && row.integer(7) > 0
        let isRestated = (kind == .standing || kind == .moderatorStanding) && row.integer(8) > 0
        if shown?["version"]?.integer != (isCopy ? seq - 1 : seq), !isRestated {
            found.append("changes: \(seq) has another version in its value")
        }
        // A new resource has the time of its request, which is somewhat before the commit. An imported one has the
        // times of the other server.
        let isNew = row.integer(3) == Int64(ChangeOperation.created.rawValue)
        let given = shown?["updatedAt"] ?? (isNew ? shown?["createdAt"] : nil)
        if let time = given?.string.flatMap({ Instant($0) })?.milliseconds, time > row.integer(6) {
            found.append("changes: \(seq) has another time than its value")
        }
        return found
    }

    /// Returns the value and the scope of a resource's change, or `nil` if the change is another resource's or a
    /// deletion.
    private static func value(
        of kind: ResourceKind, _ id: ResourceID, at seq: Int64, _ connection: SQLiteConnection
    ) throws(SQLiteError) -> (value: [UInt8], scope: ChangeScope)? {
        // The first separate version of a standing for moderators replaces the club's version.
        let former = kind == .moderatorStanding ? ResourceKind.standing : kind
        return try connection.statement(
            "SELECT value, scope, reader FROM changes WHERE seq = ?1 AND kind IN (?2, ?4) AND resource = ?3"
        )
        .bind(seq, Int64(kind.rawValue), id, Int64(former.rawValue)).first {
            row throws(SQLiteError) in
            try row.logged(0, "value", seq: seq, id: id).map {
                ($0, ChangeScope(number: row.integer(1), reader: row.integer(2)))
            }
        } ?? nil
    }

    /// Returns the first JSON member that differs byte for byte between two values, or that one of them lacks.
    private static func difference(
        _ left: [UInt8], _ right: [UInt8], except derived: Set<String>, _ isRedacted: Bool = false
    ) -> String? {
        // A value that is not JSON is reported as text.
        guard let left = try? JSONDocument(left).root, let right = try? JSONDocument(right).root else { return "text" }
        return left.members.first { member in
            guard !derived.contains(member.name) else { return false }
            guard let other = right[member.name] else { return true }
            let (one, two) = (Array(member.value.encoded), Array(other.encoded))
            return one != two && !(isRedacted && [one, two].contains { blanks.contains($0) })
        }?.name ?? right.members.first { !derived.contains($0.name) && left[$0.name] == nil }?.name
    }
}

/// The values that replace words in the redacted log.
private let blanks = [Array(#""""#.utf8), Array("null".utf8)]

extension Store {
    /// Checks the database of a directory that no server has open, and returns the findings, which are empty for a
    /// sound database. Of an older version only the file and its schema are checked, because this program's rules apply
    /// only to its own schema. `note` receives useful information that is not a finding.
    package static func check(
        directory path: String, note: (String) -> Void = { _ in }
    ) throws(StoreError) -> [String] {
        let directory = DataDirectory(path: path)
        try directory.demandDatabase()
        let lock = try DirectoryLock(directory)
        defer { lock.release() }
        let (connection, version): (SQLiteConnection, Int64)
        do throws(StoreError) { (connection, version) = try directory.opened() } catch {
            guard case .damaged(_, let findings) = error else { throw error }
            return findings
        }
        return try StoreError.at(directory) { () throws(SQLiteError) in
            guard version == DatabaseSchema.newest else {
                return try IntegrityCheck.fileFindings(connection, version: version)
            }
            let findings = try IntegrityCheck.allFindings(connection)
            if findings.isEmpty, try !SearchIndex.isWhole(connection) {
                note("The next start rebuilds the search index for this version.")
            }
            if let leaving = try connection.number("SELECT count(*) FROM departures"), leaving > 0 {
                note("Data of \(leaving) readers who left is still being deleted. The next start continues.")
            }
            return findings
        }
    }
}
