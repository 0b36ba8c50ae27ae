import Testing

@testable import HTTPServer

@Suite("The Date field")
struct DateLineTests {
    private static let dates: [(Int64, String)] = [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
    ]

    @Test("Dates are written as IMF-fixdate", arguments: dates)
    func format(_ seconds: Int64, _ expected: String) {
        var output = ByteBuffer()
        DateHeaderField.append(seconds, to: &output)
        #expect(output.text == expected)
    }
}

extension ByteBuffer {
    /// The bytes as text.
    var text: String { String(decoding: UnsafeRawBufferPointer(start: base, count: count), as: UTF8.self) }
}
