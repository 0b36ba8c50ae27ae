import Bytes
package import Model

/// Where a page ended: the sort value and the key of its last row, as text that clients send back and need not understand.
///
/// The text is base64url (RFC 4648, 5) of the list, the key and the value, so that a cursor of one list is not taken for a
/// place in another.
struct PageCursor: Equatable {
    /// A list that has cursors: of a kind of resource, in one of its orders.
    struct List: Equatable {
        let kind: ResourceKind
        var order: UInt8 = 0
        var sort = Sort.none
    }

    /// Whether the rows are sorted by a text, by a number or some, or by nothing but their key.
    enum Sort { case none, integer, integers, text }

    /// What the row was sorted by, before its key.
    enum Value: Equatable {
        case none
        case integer(Int64)
        case integers([Int64])
        case text(String)
    }

    let list: List
    let value: Value
    let key: Int64

    init(_ list: List, _ value: Value = .none, key: Int64) {
        self.list = list
        self.value = value
        self.key = key
    }

    /// The longest text that is read: more than the longest title needs.
    private static let characterCountMax = 8192

    /// Nil, the first page, for no text. Throws `foreignCursor` for what no page of that list gave.
    init?(_ text: String?, of list: List) throws(LecternError) {
        guard let text, !text.isEmpty else { return nil }
        guard text.utf8.count <= Self.characterCountMax, let bytes = Base64URL.bytes(of: text), bytes.count >= 9,
            bytes[0] == list.mark
        else { throw Self.foreign }
        key = Self.integer(bytes[1..<9])
        guard key >= 0 else { throw Self.foreign }
        let rest = bytes[9...]
        switch (list.sort, rest.count) {
        case (.none, 0): value = .none
        case (.integer, 8): value = .integer(Self.integer(rest))
        case (.integers, _) where rest.count % 8 == 0:
            value = .integers(
                stride(from: rest.startIndex, to: rest.endIndex, by: 8).map { Self.integer(rest[$0..<$0 + 8]) })
        case (.text, _):
            guard let title = String(validating: rest, as: UTF8.self) else { throw Self.foreign }
            value = .text(title)
        default: throw Self.foreign
        }
        self.list = list
    }

    static let foreign = LecternError.refused(
        .foreignCursor, "This cursor is the next of no page of this list. Begin again without one.")

    /// The text that a client sends back.
    var text: String {
        var bytes = [list.mark]
        Self.append(key, to: &bytes)
        switch value {
        case .none: break
        case .integer(let number): Self.append(number, to: &bytes)
        case .integers(let numbers): for number in numbers { Self.append(number, to: &bytes) }
        case .text(let text): bytes += text.utf8
        }
        return Base64URL.text(of: bytes)
    }

    private static func append(_ number: Int64, to bytes: inout [UInt8]) {
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int64 {
        bytes.reduce(0) { $0 << 8 | Int64($1) }
    }
}

extension PageCursor.List {
    /// What its cursors begin with. Those of older versions, whose lists had other numbers, begin with none of these but for
    /// the orders of books, which are the same.
    fileprivate var mark: UInt8 { order > 0 ? order : (sort == .integers ? 0xC0 : 0x80) | kind.rawValue }
}

extension ListOrder {
    /// What gives the page after a place in a list of that kind: the same that its pages give as their `next`.
    package func cursor(after place: ListPlace, of kind: ResourceKind) -> String {
        let list = list(of: kind)
        let value: PageCursor.Value =
            switch (place.value, list.sort) {
            // Lists of rows have their keys as a number, too.
            case (.none, .integer): .integer(place.key)
            case (.none, _): .none
            case (.number(let number), _): .integer(number)
            case (.text(let text), _): .text(String(decoding: text, as: UTF8.self))
            }
        return PageCursor(list, value, key: place.key).text
    }

    private func list(of kind: ResourceKind) -> PageCursor.List {
        switch kind {
        case .book: bookOrder.list
        case .reading, .card: PageCursor.List(kind: .reading)
        case .note: PageCursor.List(kind: .note)
        default: PageCursor.List(kind: kind, sort: .integer)
        }
    }

    private var bookOrder: BookOrder {
        switch sort {
        case .title: .title
        case .author: .author
        case .publishedYear: .publishedYear
        case .instant, .number: .updatedAt
        case .creation: .createdAt
        }
    }
}
