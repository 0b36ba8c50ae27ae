package import Model

extension EventFrame {
    /// Returns a change as a page of the log shows it, with the reason if it hides a resource.
    package static func item(_ change: Change) -> [UInt8] {
        guard change.operation.isHiding else { return change.encoded() }
        return change.encoded().dropLast() + Array(",\"reason\":\"\(reason(ofLeaving: change).text)\"}".utf8)
    }
}
