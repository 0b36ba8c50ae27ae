import Bytes
public import JSON

/// A place in a log from which a reader of it resumes. One change can make many notes visible, and a page may end
/// between them. So a place may lie within a change.
public struct ChangeLogCursor: Hashable, Sendable {
    /// The epoch of the log.
    public let epoch: LogEpoch
    /// The last change that was sent completely.
    public let seq: Int64
    /// The number of resources of the next change that were sent, too.
    public let resourcesSent: Int

    /// Creates the place after a change and after the first resources of the next one.
    public init(epoch: LogEpoch, seq: Int64, resourcesSent: Int = 0) {
        self.epoch = epoch
        self.seq = seq
        self.resourcesSent = resourcesSent
    }

    /// Parses the output of `description`, or returns `nil`.
    public init?(_ text: String) {
        let halves = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let id = EventID(text: Array(halves[0]).span.bytes) else { return nil }
        guard halves.count == 2 else {
            self.init(epoch: id.epoch, seq: id.seq)
            return
        }
        guard id.seq > 0, let sent = DigitParser.decimal(Array(halves[1]).span.bytes, max: 999_999_999), sent > 0
        else { return nil }
        self.init(epoch: id.epoch, seq: id.seq - 1, resourcesSent: sent)
    }
}

extension ChangeLogCursor: CustomStringConvertible {
    /// The text `<epoch>-<seq>`, or `<epoch>-<seq>.<resourcesSent>` for a place within that change.
    public var description: String {
        guard resourcesSent > 0 else { return EventID(epoch: epoch, seq: seq).description }
        return "\(EventID(epoch: epoch, seq: seq + 1)).\(resourcesSent)"
    }
}

extension JSONWriter {
    /// Writes a member with an event id.
    public mutating func member(_ name: StaticString, _ id: EventID) {
        self.name(name)
        string(id)
    }
}
