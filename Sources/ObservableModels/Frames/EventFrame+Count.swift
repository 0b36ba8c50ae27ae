import JSON
import Model

extension EventFrame {
    /// Returns the event with a list's count as of a change. A count of `nil` means that the list has no count any
    /// more.
    package static func count(
        _ count: Int64?, as member: StaticString, of name: String?, asOf seq: Int64, id: [UInt8]?
    ) -> [UInt8] {
        let frame = event(member) { json in
            json.member("name", ifAny: name)
            json.member("seq", seq)
            json.name(member)
            if let count { json.integer(count) } else { json.null() }
        }
        return id.map { with(id: $0, frame) } ?? frame
    }
}
