import JSON
import Model

extension ExportColumn {
    /// Returns the value to store, or `nil` if the line has none. Throws its violation. Scales of the book that are new
    /// here are added to `newScales`.
    func cell(
        _ line: ImportLine, ofBook book: Int64?, _ state: borrowing WriteState, _ newScales: inout [any CommandChange]
    ) throws(RequestError) -> DatabaseValue? {
        guard let value = line["\(member)"], !value.isNull else { return nil }
        switch form {
        case .amount: return value.integer.map { .integer($0) }
        case .noteKind: return value.string.map { .text($0) }
        case .scale:
            guard let scale = value.string.flatMap({ ComparisonScale($0) }), let book else { return nil }
            return .integer(try state.key(of: scale, ofBook: book, &newScales))
        case .nameless: return nil  // `ImportReferenceResolver` resolves it together with the author.
        case .id, .entryOfNote, .note: return .id(try id(value))
        case .anyReader: return .integer(try state.readerKey(id(value), of: member, line, mayHaveLeft: true))
        case .answered:
            let id = try id(value)
            // An export names the answered note only if it contains it.
            let note = try state.query(NoteTable.matching("notes.id = ?1", in: state.db).bind(id).first(NoteTable.row))
            guard let note else { throw .unknown(member) }
            return .integer(note.key)
        case .key("readers"): return .integer(try state.readerKey(id(value), of: member, line))
        case .key(let table):
            return .integer(try key(id(value), in: table, state))
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
            // Made again, because other versions fold names otherwise.
            guard value.string != nil, let name = line["name"]?.string.flatMap({ SignInName($0) }) else {
                throw wrong("must be the case-folded name")
            }
            return .text(name.folded)
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

    /// Returns the value of a line that is no resource's, or throws its violation.
    func requiredCell(_ line: ImportLine, _ state: borrowing WriteState) throws(RequestError) -> DatabaseValue {
        var newScales: [any CommandChange] = []
        let cell = try cell(line, ofBook: nil, state, &newScales)
        guard cell != nil || isOptional else { throw wrong("is required") }
        return cell ?? .null
    }

    /// Returns a Boolean value indicating whether the column contains a time in the future.
    func isFuture(in line: ImportLine) -> Bool {
        guard case .time = form, let time = line["\(member)"].flatMap({ Instant(json: $0) }) else { return false }
        return time > line.now
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

    private func key(
        _ id: ResourceID, in table: String, _ state: borrowing WriteState
    ) throws(RequestError) -> Int64 {
        let key = try state.query(state.db.statement(Self.keys, table).bind(id).number())
        guard let key else { throw .unknown(member) }
        return key
    }

    private func id(_ value: JSONValue) throws(RequestError) -> ResourceID {
        guard let id = ResourceID(json: value) else { throw wrong("must be a UUID") }
        return id
    }

    private func wrong(_ detail: String) -> RequestError { .violation("/\(member)", detail) }
}

/// The form of the values of an export column.
enum ExportColumnForm: Sendable {
    case id, text, digest, kind, time
    /// The key of a row of the named table, exported as the row's id.
    case key(String)
    /// The key of a reader's row, including readers who have left.
    case anyReader
    case signInName
    /// The folded form of the `name` beside it.
    case foldedName
    case passwordHash
    /// The key of a scale, exported as its name, with the member of its amount.
    case scale(amount: StaticString)
    /// An amount of a scale.
    case amount
    /// The key of the answered note, exported as its id. If that note is deleted, the id is that of the next
    /// existing note above it.
    case answered
    /// The key of the author of a nameless note, exported as the author's id; left out of other notes.
    case nameless
    /// The kind of a note; the member `kind` of a line is the kind of the record.
    case noteKind
    /// The id of the entry that shows a note.
    case entryOfNote
    /// The id of one of the reader's notes, left out if the export does not contain that note.
    case note
}

extension WriteState {
    /// Returns the key of a row's book, from its own columns or those of its reading.
    func book(of cells: [String: DatabaseValue]) throws(RequestError) -> Int64? {
        if case .integer(let book)? = cells["book"] { return book }
        guard case .integer(let reading)? = cells["reading"] else { return nil }
        return try query(ReadingTable.find(key: reading, in: db)?.bookKey)
    }
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
