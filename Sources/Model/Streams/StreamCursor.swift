import Bytes

/// A place in a stream of several URLs, as in the ids of its events: `<epoch>-<seq>.s<stream>.r<revision>`. `.d<seq>`
/// follows while results are owed, and `.g<names>` if names have ended.
public struct StreamCursor: Hashable, Sendable, PlainText {
    /// The epoch of the log.
    public let epoch: LogEpoch
    /// The last change that was sent completely, for the watch list of the revision.
    public let seq: Int64
    /// The hash of the stream's id.
    public let stream: UInt32
    /// The revision of the watch list.
    public let revision: Int64
    /// The last change that the sent lists include, if it differs from `seq`. This concerns lists that are sent whole,
    /// at once or after a while.
    public let viewsThrough: Int64?
    /// The hashes of the names that have ended, ascending.
    private let ended: [UInt32]

    /// Creates the cursor of a stream of which some names have ended.
    public init(
        epoch: LogEpoch, seq: Int64, of stream: UInt32, revision: Int64, viewsThrough: Int64? = nil,
        ended: Set<String> = []
    ) {
        (self.epoch, self.seq, self.stream, self.revision) = (epoch, seq, stream, revision)
        self.viewsThrough = viewsThrough
        self.ended = ended.isEmpty ? [] : Set(ended.map(Self.hash(ofName:))).sorted()
    }

    /// Parses the output of `bytes`, or returns `nil`.
    public init?(_ text: String) {
        var pieces = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)[...]
        guard let place = pieces.popFirst(), let id = EventID(text: Array(place).span.bytes),
            let stream = pieces.popFirst().flatMap({ Self.marks($0, after: "s", digits: 8) }), stream.count == 1,
            let revision = pieces.popFirst().flatMap({ Self.number($0, after: "r") })
        else { return nil }
        (epoch, seq, self.stream, self.revision) = (id.epoch, id.seq, stream[0], revision)
        viewsThrough = pieces.first.flatMap { Self.number($0, after: "d") }
        if let viewsThrough {
            guard viewsThrough < id.seq else { return nil }
            pieces.removeFirst()
        }
        ended = pieces.popFirst().map { Self.marks($0, after: "g", digits: Self.nameDigits) ?? [] } ?? []
        guard pieces.isEmpty, description == text else { return nil }
    }

    /// Returns whether a name has ended. If two names have the same hash, both count as ended, and the other one
    /// restarts needlessly.
    public func hasEnded(_ name: String) -> Bool { !ended.isEmpty && ended.contains(Self.hash(ofName: name)) }

    /// The place in the log from which another stream can resume. `nil` if the client's copies do not all show that
    /// place, because lists are owed or names have ended.
    public var place: EventID? { viewsThrough == nil && ended.isEmpty ? EventID(epoch: epoch, seq: seq) : nil }

    // MARK: Hashes

    /// The number of digits of a name's hash.
    private static let nameDigits = 6

    /// Returns the hash of a text: FNV-1a of 32 bits.
    public static func nameHash(of text: String) -> UInt32 {
        text.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }

    private static func hash(ofName name: String) -> UInt32 { nameHash(of: name) & 0xFF_FFFF }

    private static func hexadecimal(_ mark: UInt32, digits: Int) -> [UInt8] {
        let text = String(mark, radix: 16)
        return Array(repeating: UInt8(ascii: "0"), count: digits - text.utf8.count) + Array(text.utf8)
    }

    private static func marks(_ piece: Substring.UTF8View, after letter: Unicode.Scalar, digits: Int) -> [UInt32]? {
        var rest = piece.dropFirst()
        guard piece.first == UInt8(ascii: letter), !rest.isEmpty, rest.count <= digits * WatchListPatch.namesMax else {
            return nil
        }
        var marks: [UInt32] = []
        while !rest.isEmpty {
            guard let mark = UInt32(Substring(rest.prefix(digits)), radix: 16) else { return nil }
            marks.append(mark)
            rest = rest.dropFirst(digits)
        }
        return marks
    }

    private static func number(_ piece: Substring.UTF8View, after letter: Unicode.Scalar) -> Int64? {
        guard piece.first == UInt8(ascii: letter) else { return nil }
        return DigitParser.decimal(Array(piece.dropFirst()).span.bytes, max: 999_999_999_999_999_999).map { Int64($0) }
    }

    /// Appends the text of the cursor.
    public func append(to bytes: inout [UInt8]) {
        EventID(epoch: epoch, seq: seq).append(to: &bytes)
        bytes += Array(".s".utf8) + Self.hexadecimal(stream, digits: 8)
        bytes += ".r\(revision)".utf8
        if let viewsThrough { bytes += ".d\(viewsThrough)".utf8 }
        if !ended.isEmpty { bytes += ".g".utf8 }
        for mark in ended { bytes += Self.hexadecimal(mark, digits: Self.nameDigits) }
    }
}
