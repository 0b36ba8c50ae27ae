import Bytes

/// A place in a stream of several URLs, as the ids of its events say it: `<epoch>-<seq>.r<revision>`, and `.d<seq>` behind it
/// while results are owed.
public struct StreamCursor: Hashable, Sendable {
    /// Which log.
    public let epoch: Epoch
    /// Everything up to this change has been told, of what was watched in the revision.
    public let seq: Int64
    /// Of what the stream watches.
    public let revision: Int64
    /// Lists that are sent whole, at once or after a while, have been told as of this change; nil where that is the same.
    public let viewsThrough: Int64?

    public init(epoch: Epoch, seq: Int64, revision: Int64, viewsThrough: Int64? = nil) {
        (self.epoch, self.seq, self.revision, self.viewsThrough) = (epoch, seq, revision, viewsThrough)
    }

    /// Parses what `append` writes; nil for anything else.
    public init?(_ text: String) {
        let pieces = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (2...3).contains(pieces.count), let id = EventID(text: Array(pieces[0]).span.bytes),
            let revision = Self.number(pieces[1], after: "r")
        else { return nil }
        guard pieces.count == 3 else {
            self.init(epoch: id.epoch, seq: id.seq, revision: revision)
            return
        }
        guard let views = Self.number(pieces[2], after: "d"), views < id.seq else { return nil }
        self.init(epoch: id.epoch, seq: id.seq, revision: revision, viewsThrough: views)
    }

    private static func number(_ piece: Substring.UTF8View, after letter: Unicode.Scalar) -> Int64? {
        guard piece.first == UInt8(ascii: letter), case let digits = piece.dropFirst(),
            (1...18).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// Appends the cursor's text.
    public func append(to bytes: inout [UInt8]) {
        EventID(epoch: epoch, seq: seq).append(to: &bytes)
        bytes += Array(".r\(revision)".utf8)
        if let viewsThrough { bytes += Array(".d\(viewsThrough)".utf8) }
    }
}

extension StreamCursor: CustomStringConvertible {
    public var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
