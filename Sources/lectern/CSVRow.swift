extension CSV {
    /// A row: its fields' bytes, which are UTF-8, and the line of the file where it begins, from 1.
    struct Row: Equatable {
        let line: Int
        /// The fields in their order, a comma after each: without them two halves of a character would make one.
        private var bytes: [UInt8] = []
        /// Where each field ends.
        private var ends: [UInt32] = []

        init(line: Int) { self.line = line }

        /// How many fields there are.
        var count: Int { ends.count }

        /// How much memory the fields take.
        var byteCount: Int { bytes.count }

        /// Whether there is nothing in it but the one empty field that an empty line has.
        var isEmpty: Bool { ends == [0] }

        subscript(field: Int) -> ArraySlice<UInt8> { bytes[start(of: field)..<Int(ends[field])] }

        var fields: [String] { (0..<count).map { String(decoding: self[$0], as: UTF8.self) } }

        mutating func append(_ text: ArraySlice<UInt8>) { bytes.append(contentsOf: text) }

        mutating func endField() {
            ends.append(UInt32(bytes.count))
            bytes.append(UInt8(ascii: ","))
        }

        /// Whether all of it is UTF-8; a fault at the line where the first field begins that is none.
        func demandText() throws(Fault) {
            do throws(UTF8.ValidationError) { _ = try UTF8Span(validating: bytes.span) } catch {
                let wrong = (0..<count).first { String(validating: self[$0], as: UTF8.self) == nil } ?? 0
                let before = bytes[..<start(of: wrong)].count { $0 == UInt8(ascii: "\n") }
                throw Fault(
                    line: line + before,
                    reason: "this is not UTF-8; where it is Latin-1, `iconv -f LATIN1 -t UTF-8` makes it so")
            }
        }

        private func start(of field: Int) -> Int { field == 0 ? 0 : Int(ends[field - 1]) + 1 }
    }
}
