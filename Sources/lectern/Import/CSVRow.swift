/// A row: its fields' bytes in UTF-8, and the line of the file where it begins, from 1.
struct CSVRow: Equatable {
    let line: Int
    /// The fields in their order, with a comma after each. Without the commas, two halves of a character could form
    /// a valid one.
    private var bytes: [UInt8] = []
    /// The end of each field in `bytes`.
    private var ends: [UInt32] = []

    init(line: Int, capacity: Int = 0) {
        self.line = line
        bytes.reserveCapacity(capacity)
    }

    /// The number of fields.
    var count: Int { ends.count }

    /// The bytes that the fields take in memory.
    var byteCount: Int { bytes.count }

    /// A Boolean value indicating whether the row is an empty line, which has one empty field.
    var isEmpty: Bool { ends == [0] }

    subscript(field: Int) -> ArraySlice<UInt8> { bytes[start(of: field)..<Int(ends[field])] }

    var fields: [String] { (0..<count).map { String(decoding: self[$0], as: UTF8.self) } }

    /// A Boolean value indicating whether the row is a byte order mark so far.
    var isByteOrderMark: Bool { bytes == [0xEF, 0xBB, 0xBF] }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    mutating func append(_ text: ArraySlice<UInt8>) { bytes += text }

    mutating func endField() {
        ends.append(UInt32(bytes.count))
        bytes.append(UInt8(ascii: ","))
    }

    /// Throws unless all fields are UTF-8. The error has the line of the first invalid field.
    func demandText() throws(CSVSyntaxError) {
        do throws(UTF8.ValidationError) { _ = try UTF8Span(validating: bytes.span) } catch {
            let wrong = (0..<count).first { String(validating: self[$0], as: UTF8.self) == nil } ?? 0
            let before = bytes[..<start(of: wrong)].count { $0 == UInt8(ascii: "\n") }
            throw CSVSyntaxError(
                line: line + before,
                reason: "this is not UTF-8. Convert Latin-1 with `iconv -f LATIN1 -t UTF-8`")
        }
    }

    private func start(of field: Int) -> Int { field == 0 ? 0 : Int(ends[field - 1]) + 1 }
}
