/// Answers of this room itself: problem details (RFC 9457) for requests that no handler saw.
enum Problem {
    static func body(_ refusal: Refusal, _ limits: borrowing HTTPLimits) -> [UInt8] {
        let kind = refusal.kind
        let limit = kind.limit(limits).map { #","limit":{"name":"\#($0.name)","max":\#($0.max)}"# } ?? ""
        let text = """
            {"type":"/problems/\(kind.rawValue)","title":"\(kind.title)","status":\(kind.status),\
            "detail":"\(refusal.detail)"\(limit)}
            """
        return [UInt8](text.utf8)
    }
}
