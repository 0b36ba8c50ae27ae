package import Model

extension EventFrame {
    /// A change as a page of the log has it, which says why a note is hidden, too.
    package static func item(_ change: Change) -> [UInt8] {
        guard change.operation.isGoing else { return change.encoded() }
        return change.encoded().dropLast() + Array(",\"reason\":\"\(reason(ofLeaving: change).text)\"}".utf8)
    }
}
