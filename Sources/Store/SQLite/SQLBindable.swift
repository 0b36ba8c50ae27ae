import Model

/// A value of a statement's parameter. `nil` is NULL.
protocol SQLBindable: Sendable {
    /// Binds the value to the parameter with a number, which begins at 1.
    func bind(to statement: SQLiteStatement, at index: Int32)
}

/// Text that is given as its UTF-8 bytes.
struct UTF8Text: SQLBindable {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func bind(to statement: SQLiteStatement, at index: Int32) {
        bytes.withUnsafeBytes { statement.bindText($0, at: index) }
    }
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
    func bind(to statement: SQLiteStatement, at index: Int32) {
        if let self { self.bind(to: statement, at: index) } else { statement.bindNull(at: index) }
    }
}

extension SQLBindable where Self: BinaryInteger {
    func bind(to statement: SQLiteStatement, at index: Int32) { statement.bindInteger(Int64(self), at: index) }
}

extension Int64: SQLBindable {}
extension Int: SQLBindable {}
extension Int32: SQLBindable {}

extension Instant: SQLBindable {
    func bind(to statement: SQLiteStatement, at index: Int32) { statement.bindInteger(milliseconds, at: index) }
}

extension String: SQLBindable {
    func bind(to statement: SQLiteStatement, at index: Int32) {
        var text = self
        text.withUTF8 { statement.bindText(UnsafeRawBufferPointer($0), at: index) }
    }
}

extension ResourceID: SQLBindable {
    func bind(to statement: SQLiteStatement, at index: Int32) {
        withBytes { statement.bindBlob($0, at: index) }
    }
}

extension SHA256Digest: SQLBindable {
    func bind(to statement: SQLiteStatement, at index: Int32) {
        bytes.withUnsafeBytes { statement.bindBlob($0, at: index) }
    }
}

extension DatabaseValue: SQLBindable {
    func bind(to statement: SQLiteStatement, at index: Int32) {
        switch self {
        case .null: statement.bindNull(at: index)
        case .integer(let number): number.bind(to: statement, at: index)
        case .text(let text): text.bind(to: statement, at: index)
        case .id(let id): id.bind(to: statement, at: index)
        case .digest(let digest): digest.bind(to: statement, at: index)
        case .bytes(let bytes): bytes.withUnsafeBytes { statement.bindBlob($0, at: index) }
        }
    }
}
