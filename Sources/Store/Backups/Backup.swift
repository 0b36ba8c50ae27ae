package import Model

/// A backup of the database, finished or in progress.
package struct Backup: Sendable, Equatable {
    /// The time of the request, such as `20261122T170501123Z`. The ids are unique and sort in the order of the
    /// requests.
    package let id: String
    package let kind: BackupKind
    package var state: BackupState
    /// The last change of the log that the backup contains.
    package var seq: Int64?
    package var bytes: Int64?
    /// The reason why the backup failed, or `nil`.
    package var reason: String?

    /// The time of the request.
    package var askedAt: Instant? { Self.time(of: id) }

    init(_ id: String, _ kind: BackupKind) { (self.id, self.kind, state) = (id, kind, .waiting) }

    /// Creates the backup that a file name describes, or returns `nil` for other files.
    init?(file name: String, bytes: Int64) {
        guard name.hasSuffix(Self.suffix) else { return nil }
        let parts = name.dropLast(Self.suffix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let kind = BackupKind(rawValue: String(parts[0])),
            Self.time(of: String(parts[1])) != nil,
            let seq = Int64(parts[2])
        else { return nil }
        (id, self.kind, state, self.seq, self.bytes) = (String(parts[1]), kind, .done, seq, bytes)
    }

    /// The name of the finished file.
    var file: String { "\(kind.rawValue)-\(id)-\(seq ?? 0)\(Self.suffix)" }
    private static let suffix = ".sqlite"
    /// The suffix of an unfinished file.
    static let partSuffix = ".part"
    var part: String { "\(kind.rawValue)-\(id)\(Self.partSuffix)" }

    /// Returns the id of a time: `2026-11-22T17:05:01.123Z` becomes `20261122T170501123Z`.
    static func id(of time: Instant) -> String { "\(time)".filter { $0 != "-" && $0 != ":" && $0 != "." } }

    /// Returns the id of the current time or, if the clock was ahead, the id a millisecond after the last one.
    static func id(after last: String, at now: Instant) -> String {
        guard let before = time(of: last), before >= now else { return id(of: now) }
        let next = id(of: Instant(milliseconds: before.milliseconds + 1))
        // There is no later id at the end of the calendar.
        return next > last ? next : id(of: now)
    }

    /// Returns the time in an id, or `nil` for other texts.
    static func time(of id: String) -> Instant? {
        let text = Array(id.utf8)
        guard text.count == 19 else { return nil }
        func part(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
        let date = "\(part(0..<4))-\(part(4..<6))-\(part(6..<11)):\(part(11..<13)):\(part(13..<15)).\(part(15..<19))"
        return Instant(date).flatMap { Self.id(of: $0) == id ? $0 : nil }
    }
}

/// The progress of a backup.
package enum BackupState: String, Sendable {
    case waiting
    case copying
    case verifying
    case done
    case failed
}

/// The purpose of a backup, which begins its file name.
package enum BackupKind: String, Sendable, CaseIterable {
    /// A requested or scheduled backup, which is kept until there are enough newer ones.
    case kept = "lectern"
    /// Made before the schema is upgraded.
    case upgrade
}
