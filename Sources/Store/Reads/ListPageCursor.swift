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
        /// The number of the order. A search, best match first, has the greatest.
        var order: UInt8 = 0
        /// A Boolean value indicating whether rows are sorted by a text before their key.
        var isByText = false
        /// The possible numbers of integers by which rows are sorted before their key.
        var integers = 0...0

        /// Returns the list of the matches of a search, best match first.
        static func search(of kind: ResourceKind) -> List {
            List(kind: kind, order: .max, integers: 3...3 + RankedPageStart.leadersMax)
        }
    }

    let list: List
    let value: CursorValue
    let key: Int64

    init(_ list: List, _ value: CursorValue = .integers([]), key: Int64) {
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
        if list.isByText {
            guard let text = String(validating: rest, as: UTF8.self) else { throw Self.foreign }
            value = .text(text)
        } else {
            guard rest.count % 8 == 0, list.integers.contains(rest.count / 8) else { throw Self.foreign }
            value = .integers(
                stride(from: rest.startIndex, to: rest.endIndex, by: 8).map { Self.integer(rest[$0..<$0 + 8]) })
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
        case .integers(let numbers): for number in numbers { Self.append(number, to: &bytes) }
        case .text(let text): bytes += text.utf8
        }
        return Base64URL.text(of: bytes)
    }

    private static func append(_ number: Int64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int64 {
        bytes.reduce(0) { $0 << 8 | Int64($1) }
    }
}

/// The value by which the row was sorted before its key.
enum CursorValue: Equatable {
    case integers([Int64])
    case text(String)

    /// The first integer, if there is one.
    var integer: Int64? { if case .integers(let numbers) = self { numbers.first } else { nil } }
}

extension ListPageCursor.List {
    /// The first bytes of the list's cursors. A search of a kind is a list of its own.
    fileprivate var bytes: [UInt8] { [kind.rawValue, order] }

    /// Returns the value by which a row is sorted, which is in a column.
    func value(in row: SQLiteStatement, at column: Int32) -> CursorValue {
        if isByText { return .text(row.text(column)) }
        return .integers(integers.contains(0) ? [] : [row.integer(column)])
    }
}

extension ListOrder {
    /// Returns the cursor of the page after a place, which equals the `next` of the list's pages.
    package func cursor(after place: ListPlace, of kind: ResourceKind) -> String {
        let list = list(of: kind)
        let value: CursorValue =
            switch place.value {
            // Lists of rows have their key as the number, too.
            case .none: .integers(list.integers.contains(0) ? [] : [place.key])
            case .number(let number): .integers([number])
            case .text(let text): .text(String(decoding: text, as: UTF8.self))
            }
        return ListPageCursor(list, value, key: place.key).text
    }

    /// Returns the list of a kind in this order.
    func list(of kind: ResourceKind) -> ListPageCursor.List {
        switch kind {
        case .book: books
        case .reading, .card: ListPageCursor.List(kind: .reading)
        case .note: ListPageCursor.List(kind: .note)
        default: ListPageCursor.List(kind: kind, integers: 1...1)
        }
    }

    /// The list of books. Its cursors differ in the opposite direction.
    private var books: ListPageCursor.List {
        var list =
            switch sort {
            case .title: ListPageCursor.List(kind: .book, order: 1, isByText: true)
            case .author: ListPageCursor.List(kind: .book, order: 2, isByText: true)
            case .publishedYear: ListPageCursor.List(kind: .book, order: 3, integers: 1...1)
            case .creation: ListPageCursor.List(kind: .book, order: 4)
            case .instant, .number: ListPageCursor.List(kind: .book, order: 5, integers: 1...1)
            }
        if isDescending { list.order += 16 }
        return list
    }
}
