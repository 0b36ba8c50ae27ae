/// Answers of this room itself: problem details (RFC 9457) for requests that no handler saw.
enum Problem {
    static func body(_ refusal: Refusal) -> [UInt8] {
        let title = "\(StatusLine.reason(refusal.status))"
        let text =
            #"{"type":"about:blank","title":"\#(title)","status":\#(refusal.status),"detail":"\#(refusal.detail)"}"#
        return [UInt8](text.utf8)
    }
}
