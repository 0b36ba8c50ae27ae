/// Answers of this room itself: problem details (RFC 9457) for requests that no handler saw.
enum Problem {
    static func body(_ refusal: Refusal) -> [UInt8] {
        let text = """
            {"type":"/problems/\(refusal.kind.rawValue)","title":"\(refusal.kind.title)",\
            "status":\(refusal.status),"detail":"\(refusal.detail)"}
            """
        return [UInt8](text.utf8)
    }
}
