import Bytes
public import JSON

/// A place in a log from which its reader goes on. Changes that share a `seq`, such as notes that were unlocked together, need
/// not all be told at once, so a place may lie between them.
public struct LogCursor: Hashable, Sendable {
    /// Which log.
    public let epoch: Epoch
    /// Everything up to this change has been told.
    public let seq: Int64
    /// So many parts of the change after it, too.
    public let parts: Int

    /// The place behind a change, and behind the first parts of the one after it.
    public init(epoch: Epoch, seq: Int64, parts: Int = 0) {
        self.epoch = epoch
        self.seq = seq
        self.parts = parts
    }

    /// Parses what `description` writes; nil for anything else.
    public init?(_ text: String) {
        let halves = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let id = EventID(text: Array(halves[0]).span.bytes) else { return nil }
        guard halves.count == 2 else {
            self.init(epoch: id.epoch, seq: id.seq)
            return
        }
        let digits = halves[1]
        guard id.seq > 0, (1...9).contains(digits.count), digits.allSatisfy(\.isDigit) else { return nil }
        let parts = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard parts > 0 else { return nil }
        self.init(epoch: id.epoch, seq: id.seq - 1, parts: parts)
    }
}

extension LogCursor: CustomStringConvertible {
    /// `<epoch>-<seq>`, or `<epoch>-<seq>.<parts>` for a place within that change.
    public var description: String {
        guard parts > 0 else { return EventID(epoch: epoch, seq: seq).description }
        return "\(EventID(epoch: epoch, seq: seq + 1)).\(parts)"
    }
}

extension JSONWriter {
    /// Writes an event's id as a string.
    public mutating func eventID(_ id: EventID) { unescaped { id.append(to: &$0) } }
}
