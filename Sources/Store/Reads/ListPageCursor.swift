import Bytes
package import Model

/// The end of a page: the sort value and the key of its last row, as an opaque text for clients.
///
/// The text is base64url (RFC 4648, 5) of the list, the key and the value. It contains the list, so a cursor is not
/// accepted for another list.
struct ListPageCursor: Equatable {
    /// A list with cursors: a kind of resource in one of its orders.
    struct List: Equatable {
        let kind: ResourceKind
        var order: UInt8 = 0
        var sort = SortValueType.none
    }

    let list: List
    let value: CursorValue
    let key: Int64

    init(_ list: List, _ value: CursorValue = .none, key: Int64) {
        self.list = list
        self.value = value
        self.key = key
    }

    /// The maximum length of a cursor, which is more than the longest title needs.
    private static let characterCountMax = 8192

    /// Parses a cursor. Returns `nil`, the first page, for no text. Throws `foreignCursor` for text that is not a
    /// cursor of this list.
    init?(_ text: String?, of list: List) throws(RequestError) {
        guard let text, !text.isEmpty else { return nil }
        guard text.utf8.count <= Self.characterCountMax, let bytes = Base64URL.bytes(of: text), bytes.count >= 10,
            bytes.starts(with: list.bytes)
        else { throw Self.foreign }
        key = Self.integer(bytes[2..<10])
        guard key >= 0 else { throw Self.foreign }
        let rest = bytes[10...]
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

    static let foreign = RequestError.refused(
        .foreignCursor, "The cursor is not from a page of this list. Read the list again, without a cursor.")

    /// The text that clients send back.
    var text: String {
        var bytes = list.bytes
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

/// The value by which the row was sorted before its key.
enum CursorValue: Equatable {
    case none
    case integer(Int64)
    case integers([Int64])
    case text(String)
}

/// The type of the value by which the rows are sorted before their key.
enum SortValueType { case none, integer, integers, text }

extension ListPageCursor.List {
    /// The first bytes of the list's cursors. A search of a kind is a list of its own.
    fileprivate var bytes: [UInt8] { [kind.rawValue, sort == .integers ? .max : order] }
}

extension ListOrder {
    /// Returns the cursor of the page after a place, which equals the `next` of the list's pages.
    package func cursor(after place: ListPlace, of kind: ResourceKind) -> String {
        let list = list(of: kind)
        let value: CursorValue =
            switch (place.value, list.sort) {
            // Lists of rows have their key as the number, too.
            case (.none, .integer): .integer(place.key)
            case (.none, _): .none
            case (.number(let number), _): .integer(number)
            case (.text(let text), _): .text(String(decoding: text, as: UTF8.self))
            }
        return ListPageCursor(list, value, key: place.key).text
    }

    private func list(of kind: ResourceKind) -> ListPageCursor.List {
        switch kind {
        case .book: bookOrder.list(descending: isDescending)
        case .reading, .card: ListPageCursor.List(kind: .reading)
        case .note: ListPageCursor.List(kind: .note)
        default: ListPageCursor.List(kind: kind, sort: .integer)
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
