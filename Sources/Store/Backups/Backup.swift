package import Model

/// A copy of the database, or the making of one.
package struct Backup: Sendable, Equatable {
    /// What it is for; the beginning of its file's name.
    package enum Kind: String, Sendable, CaseIterable {
        /// Kept until there are enough newer ones.
        case kept = "lectern"
        /// Fetched by the client that asked for it, while it is made.
        case fetched
        /// Made before the schema became another.
        case upgrade
    }

    /// How far it is.
    package enum State: String, Sendable {
        case waiting
        case copying
        case verifying
        /// The operator's command has it.
        case sending
        case done
        case failed
    }

    /// When it was asked for, as `20261122T170501123Z`: told from all others, and the order of their making.
    package let id: String
    package let kind: Kind
    package var state: State
    /// The last change of the log that is in it.
    package var seq: Int64?
    package var bytes: Int64?
    /// Why it failed.
    package var reason: String?

    /// Bytes that are fetched at once.
    package static let pieceBytesMax = 512 << 10

    /// Whether there is nothing more to wait for.
    package var isOver: Bool { state == .done || state == .failed }
    /// When it was asked for.
    package var askedAt: Instant? { Self.instant(of: id) }

    init(_ id: String, _ kind: Kind) { (self.id, self.kind, state) = (id, kind, .waiting) }

    /// The backup that a file's name says; nil when it is none's.
    init?(file name: String, bytes: Int64) {
        guard name.hasSuffix(Self.suffix) else { return nil }
        let parts = name.dropLast(Self.suffix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let kind = Kind(rawValue: String(parts[0])), Self.instant(of: String(parts[1])) != nil,
            let seq = Int64(parts[2])
        else { return nil }
        (id, self.kind, state, self.seq, self.bytes) = (String(parts[1]), kind, .done, seq, bytes)
    }

    /// Its file's name once it is whole.
    var file: String { "\(kind.rawValue)-\(id)-\(seq ?? 0)\(Self.suffix)" }
    private static let suffix = ".sqlite"
    /// The end of the name of what is not whole yet.
    static let partSuffix = ".part"
    var part: String { "\(kind.rawValue)-\(id)\(Self.partSuffix)" }

    /// `2026-11-22T17:05:01.123Z` as `20261122T170501123Z`.
    static func id(of time: Instant) -> String { "\(time)".filter { $0 != "-" && $0 != ":" && $0 != "." } }

    /// The next one: that of now, or where the clock was ahead, of a moment after the last one.
    static func id(after last: String, at now: Instant) -> String {
        guard let before = instant(of: last), before >= now else { return id(of: now) }
        let next = id(of: Instant(milliseconds: before.milliseconds + 1))
        // At the end of the calendar there is no later one.
        return next > last ? next : id(of: now)
    }

    private static func instant(of id: String) -> Instant? {
        let text = Array(id.utf8)
        guard text.count == 19 else { return nil }
        func part(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
        let date = "\(part(0..<4))-\(part(4..<6))-\(part(6..<11)):\(part(11..<13)):\(part(13..<15)).\(part(15..<19))"
        return Instant(date).flatMap { Self.id(of: $0) == id ? $0 : nil }
    }
}
