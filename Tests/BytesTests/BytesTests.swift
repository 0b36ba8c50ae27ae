import SharedByTests
import Testing

@testable import Bytes

@Suite("Bytes")
struct BytesTests {
    @Test("Only A to Z, a to z and 0 to 9 are letters and digits")
    func classes() {
        for byte in UInt8.min...UInt8.max {
            let sign = Character(Unicode.Scalar(byte))
            #expect(byte.isDigit == "0123456789".contains(sign))
            #expect(byte.isLetter == (sign.isASCII && sign.isLetter))
            #expect(byte.lowercased == (byte.isLetter ? byte | 0x20 : byte))
            #expect(byte.hexValue.map(Int.init) == (sign.isASCII ? sign.hexDigitValue : nil))
        }
    }

    @Test("Eight hexadecimal digits are written at once", arguments: [0, 0x1234_ABCD, .max, 0x9A00_00F0])
    func hexadecimal(_ number: UInt32) {
        let digits = withUnsafeBytes(of: hexDigits(number)) { String(decoding: $0, as: UTF8.self) }
        let short = String(number, radix: 16)
        #expect(digits == String(repeating: "0", count: 8 - short.count) + short)
    }

    @Test("Eight bytes are read as a number exactly if each is a hexadecimal digit, at each place")
    func hexadecimalNumbers() {
        for place in 0..<8 {
            for byte in 0...UInt8.max {
                var bytes = Array("0a9f5c12".utf8)
                bytes[place] = byte
                let digits = bytes.withUnsafeBytes { $0.load(as: UInt64.self) }
                let text = byte.hexValue == nil ? nil : String(decoding: bytes, as: UTF8.self)
                let number = text.flatMap { UInt32($0, radix: 16) }
                #expect(hexNumber(digits, anyCase: true) == number)
                #expect(hexNumber(digits, anyCase: false) == (byte < UInt8(ascii: "a") && byte.isLetter ? nil : number))
            }
        }
    }

    private static let texts: [([UInt8], String)] = [
        ([], ""), ([0], "AA"), ([255, 239], "_-8"), (Array("foobar".utf8), "Zm9vYmFy"),
        (Array("fooba".utf8), "Zm9vYmE"),
    ]

    @Test("Base64url has one text for some bytes (RFC 4648, 10)", arguments: texts)
    func base64(_ bytes: [UInt8], _ text: String) {
        #expect(Base64URL.text(of: bytes) == text)
        #expect(Base64URL.bytes(of: text) == bytes)
    }

    @Test("Text that base64url does not write is refused", arguments: ["A", "AA==", "AB", "A+", "A/", "Zm9vYmF", "é9"])
    func notBase64(_ text: String) {
        #expect(Base64URL.bytes(of: text) == nil)
    }

    @Test("Every day follows the day before it")
    func dates() {
        var (year, month, day): (Int64, Int64, Int64) = (0, 12, 31)
        // The calendar repeats after 146,097 days; all ten thousand years take long.
        for number in Int64(-719_163)...TestBudget.of(-719_163 + 2 * 146_097, long: 2_932_896) {
            let date = CivilDate(ofDay: number)
            guard (date.year, date.month, date.day) == (year, month, day), date.dayNumber == number else {
                Issue.record("day \(number) is \(date)")
                return
            }
            if CivilDate(year: year, month: month, day: day + 1) != nil {
                day += 1
            } else {
                (year, month, day) = month < 12 ? (year, month + 1, 1) : (year + 1, 1, 1)
            }
        }
    }

    private static let noDates: [(Int64, Int64, Int64)] = [
        (2025, 2, 29), (1900, 2, 29), (2026, 4, 31), (2026, 13, 1), (2026, 0, 1), (2026, 1, 0),
    ]

    @Test("A day outside the calendar is no date", arguments: noDates)
    func noDate(_ year: Int64, _ month: Int64, _ day: Int64) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }
}
