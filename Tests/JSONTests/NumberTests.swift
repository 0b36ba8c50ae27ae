import JSON
import SharedByTests
import Testing

@Suite("A number")
struct NumberTests {
    struct Worth: Sendable, CustomTestStringConvertible {
        let text: String
        let integer: Int64?
        let double: Double?
        var testDescription: String { text }

        init(_ text: String, _ integer: Int64?, _ double: Double?) {
            (self.text, self.integer, self.double) = (text, integer, double)
        }
    }

    @Test("A number has the value of its text", arguments: worths)
    func worth(_ worth: Worth) throws {
        let value = try parse(worth.text)
        #expect(value.integer == worth.integer)
        #expect(value.double == worth.double)
        #expect(value.kind == .number && value.encoded == [UInt8](worth.text.utf8))
    }

    static let nines = String(repeating: "9", count: 250)
    static let zeros = String(repeating: "0", count: 200)
    static let worths: [Worth] = [
        Worth("0", 0, 0), Worth("-0", 0, 0), Worth("0.0", 0, 0), Worth("0e999999999999999999999", 0, 0),
        Worth("1", 1, 1), Worth("-1", -1, -1), Worth("1.0", 1, 1), Worth("1e2", 100, 100),
        Worth("1E+2", 100, 100), Worth("100e-2", 1, 1), Worth("1.50e1", 15, 15), Worth("1.5", nil, 1.5),
        Worth("0.43", nil, 0.43), Worth("1e-2", nil, 0.01), Worth("0.000001", nil, 0.000001),
        Worth("9223372036854775807", .max, 0x1p63),
        Worth("9223372036854775808", nil, 0x1p63),
        Worth("-9223372036854775808", .min, -0x1p63),
        Worth("-9223372036854775809", nil, -0x1p63),
        Worth("18446744073709551615", nil, 0x1p64),
        Worth("18446744073709551616", nil, 0x1p64),
        Worth("9223372036854775807.0", .max, 0x1p63),
        Worth("922337203685477580.7e1", .max, 0x1p63),
        Worth("1e18", 1_000_000_000_000_000_000, 1e18), Worth("1e19", nil, 1e19), Worth("1e20", nil, 1e20),
        Worth("1e22", nil, 1e22), Worth("1e23", nil, 1e23),
        Worth("9007199254740993", 9_007_199_254_740_993, 9_007_199_254_740_992),
        Worth("1" + zeros + "e-200", 1, 1), Worth("0." + zeros + "1e201", 1, 1),
        Worth("1.7976931348623157e308", nil, .greatestFiniteMagnitude), Worth("5e-324", nil, .leastNonzeroMagnitude),
        Worth("1e400", nil, nil), Worth("-1e400", nil, nil), Worth("1e-400", nil, 0),
        Worth("1e99999999999999999999999999", nil, nil), Worth("1e-99999999999999999999999999", nil, 0),
        Worth("1e" + nines, nil, nil), Worth("1e-" + nines, nil, 0),
        Worth(nines, nil, 1e250), Worth("0." + nines, nil, 1),
    ]

    @Test("A number equals the double of the standard library")
    func doubles() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<5000 {
            let digits = UInt64.random(in: 0...UInt64.max, using: &random) >> UInt64.random(in: 0...63, using: &random)
            let text =
                "\(digits).\(UInt64.random(in: 0...999, using: &random))e\(Int.random(in: -40...40, using: &random))"
            let value = try parse(text)
            #expect(value.double == Double(text), "\(text)")
            if let integer = value.integer { #expect(Double(integer) == Double(text), "\(text)") }
        }
    }
}
