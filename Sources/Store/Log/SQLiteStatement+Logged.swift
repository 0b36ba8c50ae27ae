import JSON
import Model

/// The stored form of the values of the log.
///
/// The values of readings and entries, which are most of the log, are packed (see `PackedObject`). The others are JSON
/// text, because statements of SQL read and change their members.
extension SQLiteStatement {
    /// Binds a JSON text, which is the value of a change or the one that it replaced, in its stored form.
    func bindLogged(_ json: [UInt8]?, of change: Change, at index: Int32) {
        guard let json else { return bindNull(at: index) }
        if change.kind == .reading || change.kind == .entry {
            PackedObject.pack(json, id: change.id, seq: change.seq).withUnsafeBytes { bindBlob($0, at: index) }
        } else {
            json.withUnsafeBytes { bindText($0, at: index) }
        }
    }

    /// Returns the JSON text of a value of the log, or `nil` for NULL. `seq` and `id` are those of its change. Throws
    /// an error that names the column and the change for bytes that are not a value.
    func logged(
        _ column: Int32, _ name: StaticString, seq: Int64, id: ResourceID
    ) throws(SQLiteError) -> [UInt8]? {
        guard isBlob(column) else {
            let text = bytes(column)
            // Only this much is checked, because every replay reads values: a line feed would break a stream's frames.
            guard text.map(Self.isLikeValue) ?? true else { throw .undecodable("changes.\(name)", key: seq) }
            return text
        }
        guard let json = withBlob(column, { PackedObject.unpack($0, id: id, seq: seq) }) else {
            throw .undecodable("changes.\(name)", key: seq)
        }
        return json
    }

    /// Returns whether a text begins and ends like a JSON object or, for the keys of notes, like an array, and has no
    /// control characters.
    private static func isLikeValue(_ text: [UInt8]) -> Bool {
        switch (text.first, text.last) {
        case (UInt8(ascii: "{"), UInt8(ascii: "}")), (UInt8(ascii: "["), UInt8(ascii: "]")):
            !text.withUnsafeBufferPointer { EightByteWord.hasControlCharacter($0) }
        default: false
        }
    }
}
