import Glibc
import SharedByTests
import Testing

@testable import Bytes

@Suite("Addresses")
struct IPAddressTests {
    @Test(
        "Addresses are read in each of their forms, and written in one",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
            ("::ffff:192.0.2.1", "192.0.2.1"), ("::FFFF:c000:201", "192.0.2.1"), ("::", "::"), ("::1", "::1"),
            ("1::", "1::"), ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
            ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
            ("64:ff9b::192.0.2.1", "64:ff9b::c000:201"), ("1:2:3:4:5:6:192.0.2.1", "1:2:3:4:5:6:c000:201"),
        ])
    func reading(_ text: String, _ written: String) { #expect(IPAddress(text)?.description == written) }

    @Test(
        "Other texts are no addresses",
        arguments: [
            "", " ", ":", ":::", "1", "1.2.3", "1.2.3.4.5", "1.2.3.4 ", " 1.2.3.4", "1..3.4", "1.2.3.", ".1.2.3",
            "256.1.1.1", "01.2.3.4", "1.2.3.0x4", "1.2.3.-4", "1.2.3.4/8", "1::2::3", "1:2:3:4:5:6:7", ":1:2:3:4:5:6:7",
            "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "12345::", "g::", "1:", "::1:", "fe80::1%eth0", "[::1]",
            "1:2:3:4:5:6:7:1.2.3.4", "::1.2.3", "1.2.3.4::", "::1.2.3.4:5", "٣.1.1.1", "1.2.3.4\0", "99999999999.1.1.1",
            "1:2:3:4:5:6:7:8:1.2.3.4", "localhost", "unknown",
        ])
    func refusing(_ text: String) { #expect(IPAddress(text) == nil) }

    @Test("Addresses are read as the system reads them, for any text")
    func oracle() {
        var random = SeededGenerator(seed: 20)
        let parts = [
            "::", ":", ".", "0", "1", "9", "ff", "fffff", "255", "256", "1.2.3.4", "2001:db8", "::ffff:", "/", "",
        ]
        var readable = 0
        for _ in 0..<TestBudget.of(20_000, long: 200_000) {
            let text = (0..<Int.random(in: 1...9, using: &random)).map { _ in parts.randomElement(using: &random)! }
                .joined()
            let expected = Self.systems(text)
            if expected != nil { readable += 1 }
            #expect(IPAddress(text) == expected, "\(text)")
        }
        #expect(readable > 100)
    }

    private static func systems(_ text: String) -> IPAddress? {
        var four: UInt32 = 0
        if inet_pton(AF_INET, text, &four) == 1 {
            return IPAddress(high: 0, low: 0xFFFF_0000_0000 | UInt64(UInt32(bigEndian: four)))
        }
        var six: (UInt64, UInt64) = (0, 0)
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        return IPAddress(high: UInt64(bigEndian: six.0), low: UInt64(bigEndian: six.1))
    }

    @Test("IPv6 addresses with the same 64-bit prefix are one party; each IPv4 address is one")
    func parties() {
        #expect(IPAddress("2001:db8:1:2:3::4")?.party == IPAddress("2001:db8:1:2::"))
        #expect(IPAddress("192.0.2.1")?.party == IPAddress("192.0.2.1"))
        #expect(IPAddress("192.0.2.1")?.party != IPAddress("192.0.2.2")?.party)
    }

    @Test(
        "An address is in a range or outside of it",
        arguments: [
            ("10.0.0.0/8", ["10.0.0.1", "10.255.255.255"], ["11.0.0.0", "::10.0.0.1", "9.255.255.255"]),
            ("192.0.2.1", ["192.0.2.1"], ["192.0.2.2"]), ("0.0.0.0/0", ["1.2.3.4"], ["::1", "2001:db8::"]),
            ("::/0", ["::1", "1.2.3.4"], []), ("fd00::/8", ["fdff::1"], ["fe00::1"]),
            ("2001:db8::/65", ["2001:db8::7fff:0:0:1"], ["2001:db8::8000:0:0:1"]), ("::1", ["::1"], ["::2", "::"]),
        ])
    func ranges(_ text: String, _ inside: [String], _ outside: [String]) throws {
        let range = try AddressRange(text)
        for address in inside { #expect(range.contains(try #require(IPAddress(address))), "\(address)") }
        for address in outside { #expect(!range.contains(try #require(IPAddress(address))), "\(address)") }
    }

    @Test(
        "Invalid ranges are refused",
        arguments: [
            "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/08", "10.0.0.0/+8", "10.0.0.0/8/8", "::/129",
            "10.0.0.1/8", "2001:db8::1/64", "proxy", "10.0.0.0/255.0.0.0", "::1/ 64",
        ])
    func faults(_ text: String) { #expect(throws: InvalidText.self) { try AddressRange(text) } }
}
