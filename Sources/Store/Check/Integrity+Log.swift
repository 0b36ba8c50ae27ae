import CSQLite
import JSON
import Model

extension Integrity {
    /// Rows are what their last change says, as far as the log still has it; what the log deleted last is gone, and what it
    /// did not is there, but for what goes with a reading or a club.
    static func rows(
        of table: String, _ resources: StoredTable.Resources, _ connection: Connection
    ) throws(SQLiteError) -> [String] {
        try current(of: table, resources, connection) + missing(of: table, resources, connection)
    }

    private static func current(
        of table: String, _ resources: StoredTable.Resources, _ connection: Connection
    ) throws(SQLiteError) -> [String] {
        var found: [String] = []
        let floor = try connection.number("SELECT min(seq) FROM changes") ?? 0
        let derived =
            try Departure.isTelling(in: connection)
            ? resources.derived.union(resources.derivedOfLeaving) : resources.derived
        let rows = try connection.statement(once: resources.select)
        defer { rows.reset() }
        while found.count < findingsMax, try rows.step() {
            let (row, scope) = resources.read(rows)
            guard let shown = Representation(row), let version = shown["version"]?.integer,
                let id = shown["id"]?.string.flatMap({ ResourceID($0) })
            else {
                found.append("\(table): a row cannot be read")
                continue
            }
            guard version >= floor else { continue }
            guard let logged = try value(of: resources.kind, id, at: version, connection) else {
                found.append("\(table): \(id) has version \(version), and the log has something else there")
                continue
            }
            if let member = difference(row, logged.value, except: derived) {
                found.append("\(table): \(id) has another \(member) than the log")
            }
            // A standing that moderators see apart may have been shown to all before.
            if logged.scope != scope, resources.toldTo != .itsClubOrPlainMembers {
                found.append("\(table): change \(version) of \(id) is told to others than may see it")
            }
        }
        return found
    }

    /// What the log's last word on a resource says of its row. What only one reader was told of a request is not of the row.
    private static func missing(
        of table: String, _ resources: StoredTable.Resources, _ connection: Connection
    ) throws(SQLiteError) -> [String] {
        let version = resources.version
        let last = try connection.statement(
            once: """
                WITH last AS (SELECT resource, max(seq) AS seq, operation, value, scope FROM changes
                    WHERE kind = \(resources.kind.rawValue) AND operation <> 4 AND \(LogRedaction.isHeld)
                        \(isToldApart(resources.kind)) GROUP BY resource)
                SELECT last.resource, last.operation = 3, \(version), last.seq, last.value, last.scope FROM last
                LEFT JOIN \(table) ON \(table).id = last.resource AND \(resources.isThere)
                WHERE \(version) IS NOT CASE last.operation WHEN 3 THEN NULL ELSE last.seq END
                """)
        defer { last.reset() }
        var found: [String] = []
        while found.count < findingsMax, try last.step() {
            let id = last.id(0)
            if last.integer(1) != 0 {
                found.append("\(table): \(id) is there, and was deleted by change \(last.integer(3))")
            } else if let version = last.optionalInteger(2) {
                found.append("\(table): \(id) has version \(version), and its last change is \(last.integer(3))")
            } else if try !isGone(resources.kind, with: last.bytes(4) ?? [], scope: last.integer(5), connection) {
                found.append("\(table): \(id) is in the log and nowhere else")
            }
        }
        return found
    }

    /// Returns a condition that leaves out changes which tell one reader what others see, or saw before.
    private static func isToldApart(_ kind: ResourceKind) -> String {
        switch kind {
        case .joinRequest: "AND scope < 0"
        case .standing, .moderatorStanding: "AND changes.reader <= 0"
        default: ""
        }
    }

    /// Whether what a change was part of, a reading or a club, has gone since, and it with that.
    private static func isGone(
        _ kind: ResourceKind, with value: [UInt8], scope: Int64, _ connection: Connection
    ) throws(SQLiteError) -> Bool {
        guard let shown = Representation(value) else { return false }
        func exists(_ sql: String, _ member: String) throws(SQLiteError) -> Bool {
            guard let id = shown[member]?.string.flatMap({ ResourceID($0) }) else { return true }
            return try connection.statement(once: sql).bind(1, id).first { _ in true } ?? false
        }
        if scope < 0 {
            let club = try connection.statement("SELECT 1 FROM clubs WHERE key = -?1").bind(1, scope).first { _ in true
            }
            if club == nil { return true }
        }
        if try !exists("SELECT 1 FROM clubs WHERE id = ?1", "club") { return true }
        if try !exists("SELECT 1 FROM readings WHERE id = ?1", "reading") { return true }
        return false
    }

    /// The log by itself: each change can be read, and the one before it is what it says to have replaced.
    static func log(_ connection: Connection) throws(SQLiteError) -> [String] {
        let floor = try connection.number("SELECT min(seq) FROM changes") ?? 0
        // Of a change and the one before it only one may have lost its words yet.
        let isRedacted = try connection.number("SELECT 1 FROM departures LIMIT 1") != nil
        let rows = try connection.statement(
            once: """
                SELECT seq, kind, resource, operation, value, before, at, scope, reader FROM changes
                WHERE \(LogRedaction.isHeld) ORDER BY seq
                """)
        defer { rows.reset() }
        var found: [String] = []
        while found.count < findingsMax, try rows.step() {
            let (seq, operation) = (rows.integer(0), ChangeOperation(rawValue: UInt8(rows.integer(3))))
            guard let kind = UInt8(exactly: rows.integer(1)).flatMap({ ResourceKind(rawValue: $0) }) else {
                found.append("changes: \(seq) is of an unknown kind")
                continue
            }
            guard operation != .unlocked else { continue }
            let (value, before) = (rows.bytes(4), rows.bytes(5))
            if let value { found += made(value, by: rows, kind) }
            guard let before else { continue }
            guard let old = value.map({ Representation.overlay(value: $0, before: before) }) ?? before,
                let version = Representation(old)?["version"]?.integer,
                version < seq || kind == .membership && version == seq
            else {
                found.append("changes: what \(seq) replaced cannot be read")
                continue
            }
            guard version >= floor, version < seq else { continue }
            let logged = try Self.value(of: kind, rows.id(2), at: version, connection)
            if logged.map({ difference(old, $0.value, except: ["lastUsedOn", "isCurrent"], isRedacted) != nil }) ?? true
            {
                found.append("changes: \(seq) replaced something else than \(version) made")
            }
        }
        return found
    }

    /// What is wrong with the representation that a change made: it shows the change's resource, its number and its time.
    private static func made(_ value: [UInt8], by row: Statement, _ kind: ResourceKind) -> [String] {
        let (shown, seq) = (Representation(value), row.integer(0))
        var found: [String] = []
        if shown?["id"]?.string.flatMap({ ResourceID($0) }) != row.optionalID(2) {
            found.append("changes: \(seq) shows another resource than it is of")
        }
        // What only one reader is told of a request follows what the club's moderators are told, and shows that.
        let isTold = kind == .joinRequest && row.integer(7) > 0
        let isRestated = (kind == .standing || kind == .moderatorStanding) && row.integer(8) > 0
        if shown?["version"]?.integer != (isTold ? seq - 1 : seq), !isRestated {
            found.append("changes: \(seq) shows another version")
        }
        // What is made says when its request was answered, which is somewhat before the commit; what comes from another house,
        // when it was made and changed there.
        let isNew = row.integer(3) == Int64(ChangeOperation.created.rawValue)
        let said = shown?["updatedAt"] ?? (isNew ? shown?["createdAt"] : nil)
        if let time = said?.string.flatMap({ Instant($0) })?.milliseconds, time > row.integer(6) {
            found.append("changes: \(seq) was made at another time than it shows")
        }
        return found
    }

    /// What a resource was made by a change, and who was told; nil when that change is another's, or a deletion.
    private static func value(
        of kind: ResourceKind, _ id: ResourceID, at seq: Int64, _ connection: Connection
    ) throws(SQLiteError) -> (value: [UInt8], scope: Scope)? {
        // The first standing that moderators see apart replaces that which the club sees.
        let former = kind == .moderatorStanding ? ResourceKind.standing : kind
        return try connection.statement(
            "SELECT value, scope, reader FROM changes WHERE seq = ?1 AND kind IN (?2, ?4) AND resource = ?3"
        )
        .bind(1, seq).bind(2, Int64(kind.rawValue)).bind(3, id).bind(4, Int64(former.rawValue)).first { row in
            row.bytes(0).map { ($0, Scope(number: row.integer(1), reader: row.integer(2))) }
        } ?? nil
    }

    /// The first member that is not the same, byte for byte, or that only one has.
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

/// What words become in the log.
private let blanks = [Array(#""""#.utf8), Array("null".utf8)]

extension Store {
    /// Checks the database of a directory that no server has open. Returns the findings; empty means sound. Of a database of
    /// an older version only the file and its schema can be checked: what its rows should be, this program says of its own
    /// alone. `note` is told what is no finding, and worth knowing.
    package static func check(
        directory path: String, note: (String) -> Void = { _ in }
    ) throws(StoreError) -> [String] {
        let directory = DataDirectory(path: path)
        try directory.demandDatabase()
        let lock = try DirectoryLock(directory)
        defer { lock.release() }
        let wasClosed = directory.wasClosed
        let connection = try StoreError.at(directory) { () throws(SQLiteError) in
            try Connection(path: directory.database, flags: SQLITE_OPEN_READWRITE)
        }
        // Whoever starts next must know that the last end was none.
        if !wasClosed { connection.keepLogAtClose() }
        let version: Int64
        do throws(StoreError) {
            version = try Schema.version(of: connection, directory)
        } catch {
            guard case .damaged(_, let findings) = error else { throw error }
            return findings
        }
        return try StoreError.at(directory) { () throws(SQLiteError) in
            guard version == Schema.newest else { return try Integrity.fileFindings(connection, version: version) }
            let findings = try Integrity.allFindings(connection)
            if findings.isEmpty, try !SearchIndex.isWhole(connection) {
                let percent = try SearchProgress(in: connection)?.percent ?? 0
                note(
                    "The search index is to be renewed for this version, and \(percent) % of it are: the next start goes on."
                )
            }
            return findings
        }
    }
}
