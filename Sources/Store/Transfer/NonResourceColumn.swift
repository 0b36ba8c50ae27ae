import JSON
import Model

/// A column of a table whose rows are not resources, as an export contains it.
struct NonResourceColumn: Sendable {
    let member: StaticString
    let column: String
    let form: NonResourceColumnForm
    /// A Boolean value indicating whether the value may be missing.
    var isOptional = false

    init(_ member: StaticString, column: String? = nil, _ form: NonResourceColumnForm, isOptional: Bool = false) {
        (self.member, self.column, self.form, self.isOptional) = (member, column ?? "\(member)", form, isOptional)
    }

    func expression(of table: String) -> String {
        switch form {
        case .key(let other): "(SELECT id FROM \(other) WHERE key = \(table).\(column))"
        case .anyReader: "(SELECT id FROM readers WHERE key = \(table).\(column))"
        case .digest: "lower(hex(\(table).\(column)))"
        default: "\(table).\(column)"
        }
    }

    func write(_ statement: SQLiteStatement, at index: Int32, to json: inout JSONWriter) {
        json.name(member)
        switch form {
        case .key, .anyReader, .id: json.value(statement.optionalID(index))
        case .text, .digest, .signInName, .foldedName, .passwordHash: json.value(statement.optionalText(index))
        case .time: json.value(statement.optionalInstant(index))
        case .kind:
            let number = UInt8(truncatingIfNeeded: statement.integer(index))
            json.string(ResourceKind(rawValue: number)?.name ?? "")
        }
    }

    /// Returns the value in a line, or throws its violation.
    func cell(_ line: ImportLine, _ state: borrowing WriteState) throws(RequestError) -> DatabaseValue {
        guard let value = line["\(member)"], !value.isNull else {
            if isOptional { return .null }
            throw wrong("is required")
        }
        switch form {
        case .key("readers"):
            return .integer(try state.readerKey(try id(value), of: member, line))
        case .anyReader:
            return .integer(try state.readerKey(try id(value), of: member, line, mayHaveLeft: true))
        case .key(let table):
            let id = try id(value)
            let key = try state.query { db throws(SQLiteError) in
                try db.statement(Self.keys, table).bind(id).first { $0.integer(0) }
            }
            guard let key else { throw .unknown(member) }
            return .integer(key)
        case .id: return .id(try id(value))
        case .text:
            guard let text = value.string, text.utf8.count <= 10_000, !text.utf8.contains(0) else {
                throw wrong("must be a string")
            }
            return .text(text)
        case .signInName:
            guard let text = value.string, SignInName(text)?.text.utf8.elementsEqual(text.utf8) ?? false else {
                throw wrong("\(SignInName.rule), composed")
            }
            return .text(text)
        case .foldedName:
            guard let text = value.string, let name = line["name"]?.string.flatMap({ SignInName($0) }),
                name.folded.utf8.elementsEqual(text.utf8)
            else { throw wrong("must be the case-folded name") }
            return .text(text)
        case .passwordHash:
            let most = line.context.passwordMebibytesMax
            guard let text = value.string, Self.isPasswordHash(text, mebibytesMax: most) else {
                throw wrong("must be a yescrypt hash that uses 1 to \(most) MiB: see --password-memory-mib")
            }
            return .text(text)
        case .digest:
            guard let digest = value.string.flatMap({ SHA256Digest(hexadecimal: $0) }) else {
                throw wrong("must be 64 hexadecimal digits")
            }
            return .digest(digest)
        case .kind:
            guard let kind = ResourceKind.allCases.first(where: { $0.name == value.string }) else {
                throw wrong("must be a kind of resource")
            }
            return .integer(Int64(kind.rawValue))
        case .time:
            guard let time = Instant(json: value) else { throw wrong("must be a time") }
            return min(time, line.now).cell
        }
    }

    /// Returns a Boolean value indicating whether a text is a hash that `PasswordHasher` creates at one of its costs.
    /// With another cost, checking a password might take hours, or all memory.
    static func isPasswordHash(_ text: String, mebibytesMax: Int) -> Bool {
        let costs = ["j75", "j85"] + "789ABCDEF".map { "j\($0)T" }
        let settings = costs.indices.filter { 1 << $0 <= mebibytesMax }.map { costs[$0] }
        let parts = text.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1].elementsEqual("y".utf8),
            settings.contains(where: { parts[2].elementsEqual($0.utf8) }), (1...86).contains(parts[3].count),
            parts[4].count == 43
        else { return false }
        let digits = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8
        return parts[3...].joined().allSatisfy(digits.contains)
    }

    private static let keys = SQLVariants<String> { "SELECT key FROM \($0) WHERE id = ?1" }

    private func id(_ value: JSONValue) throws(RequestError) -> ResourceID {
        guard let id = ResourceID(json: value) else { throw wrong("must be a UUID") }
        return id
    }

    private func wrong(_ detail: String) -> RequestError {
        .violation("/\(member)", detail)
    }
}

/// The form of the values of a column of a table whose rows are not resources.
enum NonResourceColumnForm: Sendable {
    /// The key of a row of the named table, exported as the row's id.
    case key(String)
    /// The key of a reader's row, including readers who have left.
    case anyReader
    case id, text, digest, kind, time
    case signInName
    /// The folded form of the `name` beside it.
    case foldedName
    case passwordHash
}

extension SHA256Digest {
    /// Creates a digest from 64 hexadecimal digits.
    init?(hexadecimal text: String) {
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == 64, text.utf8.count == 64 else { return nil }
        let words = stride(from: 0, to: 64, by: 8).map { start in
            digits[start..<start + 8].reduce(UInt32(0)) { $0 << 4 | UInt32($1) }
        }
        self.init(words: SIMD8(words))
    }
}
