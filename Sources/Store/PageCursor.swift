import Model

/// Where a page ended: the sort value and the key of its last row, as text that clients send back and need not understand.
struct PageCursor {
    /// The sort value; NULL sorts before everything.
    enum Value: Equatable {
        case none
        case integer(Int64)
        case text(String)
    }

    let value: Value
    let key: Int64

    init(_ value: Value, key: Int64) {
        self.value = value
        self.key = key
    }

    /// Nil, the first page, for no text. Throws `conflict` for what no page gave.
    init?(_ text: String?) throws(LecternError) {
        guard let text, !text.isEmpty else { return nil }
        guard text.utf8.count <= 8192, let bytes = Self.bytes(hex: text) else { throw Self.malformed }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: "\u{1F}", omittingEmptySubsequences: false)
        guard parts.count == 3, let key = Int64(parts[0]), key >= 0 else { throw Self.malformed }
        switch parts[1] {
        case "n": value = .none
        case "i":
            guard let number = Int64(parts[2]) else { throw Self.malformed }
            value = .integer(number)
        case "t": value = .text(String(parts[2]))
        default: throw Self.malformed
        }
        self.key = key
    }

    /// The text that a client sends back.
    var text: String {
        let plain =
            switch value {
            case .none: "\(key)\u{1F}n\u{1F}"
            case .integer(let number): "\(key)\u{1F}i\u{1F}\(number)"
            case .text(let text): "\(key)\u{1F}t\u{1F}\(text)"
            }
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: plain.utf8.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static let malformed = LecternError.conflict("The cursor is no page's next. Begin again with the first page.")

    private static func bytes(hex text: String) -> [UInt8]? {
        let digits = text.utf8.map { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
            default: nil
            }
        }
        guard digits.count % 2 == 0, !digits.contains(nil) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { (digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0) }
    }
}

/// A page of a list.
public struct Page<Item: Sendable>: Sendable {
    /// At most as many as were asked for.
    public let items: [Item]
    /// What gives the next page; nil at the end.
    public let next: String?
}

extension Page {
    /// The page of rows that were read with one more than the limit.
    init(_ rows: [Item], limit: Int, cursor: (Item) -> PageCursor) {
        items = Array(rows.prefix(limit))
        next = rows.count > limit ? items.last.map { cursor($0).text } : nil
    }
}
