import Foundation
import JSON
import Model
import Testing

@Suite("The model")
struct ModelTests {
    @Test(
        "A time is read from RFC 3339 and written in UTC with milliseconds",
        arguments: [
            ("2026-11-21T09:30:00Z", "2026-11-21T09:30:00.000Z"),
            ("2026-11-21t11:30:00.5+02:00", "2026-11-21T09:30:00.500Z"),
            ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"),
            ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
            ("2024-02-29T23:59:60Z", "2024-02-29T23:59:59.000Z"), ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
            ("9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59.999Z"),
            ("0001-01-01T14:00:00+14:00", "0001-01-01T00:00:00.000Z"),
        ])
    func instants(_ text: String, _ written: String) { #expect(Instant(text)?.description == written) }

    @Test(
        "Invalid times are refused",
        arguments: [
            "", "2026-11-21", "2026-13-01T00:00:00Z", "2025-02-29T00:00:00Z", "2026-11-21T24:00:00Z",
            "2026-11-21T09:30:00", "2026-11-21T09:30:00.Z", "+026-11-21T09:30:00Z", "2026-11-21T09:30:00Zx",
            "0000-12-31T23:59:59Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
        ])
    func noInstants(_ text: String) { #expect(Instant(text) == nil) }

    @Test("A page and its progress are the same position, for every page of every book")
    func pages() {
        for count: Int32 in [1, 2, 3, 7, 100, 301, 999, 100_000] {
            for page in stride(from: 0, through: count, by: max(1, Int(count) / 1000)) {
                #expect(Progress(page: Int32(page), of: count)?.page(of: count) == Int32(page))
            }
            #expect(Progress(page: count, of: count) == .whole && Progress(page: count + 1, of: count) == nil)
        }
        #expect(Progress(page: 43, of: 100) == Progress(0.43))
        #expect(
            Progress(0.9999999) != .whole && Progress(1) == .whole && Progress(1.0000001) == nil
                && Progress(-0.1) == nil)
    }

    @Test("A text is visible if any of its characters is more than space, control or filling")
    func visibleTexts() {
        for text in ["a", " \u{200B}.", "\u{301}", "👩‍👧", "\u{F8FF}", "\u{378}"] { #expect(text.isVisible) }
        let scalars: [Unicode.Scalar] = [
            " ", "\t", "\u{A0}", "\u{AD}", "\u{115F}", "\u{200B}", "\u{2060}", "\u{2028}", "\u{3000}", "\u{3164}",
            "\u{FE0F}",
            "\u{FEFF}", "\u{FFA0}", "\u{E0041}",
        ]
        for scalar in scalars { #expect(!String(scalar).isVisible, "\(scalar.value)") }
        #expect(!"".isVisible && !String(String.UnicodeScalarView(scalars)).isVisible)
    }

    @Test("An id is read in either case and written in lower case")
    func ids() {
        let text = "01a1fc15-eb7e-7643-ac37-1548fa8203c9"
        #expect(ResourceID(text)?.description == text && ResourceID(text.uppercased())?.description == text)
        for bad in ["", "x", "01a1fc15eb7e7643ac371548fa8203c9", text + "0", "01a1fc15-eb7e-7643-ac37-1548fa8203cg"] {
            #expect(ResourceID(bad) == nil)
        }
        let early = ResourceID(madeAt: Instant(milliseconds: 1))
        #expect(early.description.hasPrefix("00000000-0001-7") && early != ResourceID(madeAt: Instant(milliseconds: 1)))
    }

    @Test("An event's id is parsed from its text, and from no other")
    func eventIDs() {
        let id = EventID(epoch: LogEpoch(0x0bad_cafe), seq: 42)
        #expect(id.description == "0badcafe-42")
        func read(_ text: String) -> EventID? { EventID(text: Array(text.utf8).span.bytes) }
        #expect(read("0badcafe-42") == id && read("0badcafe-9223372036854775807")?.seq == .max)
        for bad in [
            "", "0badcafe", "0badcafe-", "0badcafe-x", "0badcaf-42", "0badcafe-9223372036854775808", "0badcafe--1",
        ] { #expect(read(bad) == nil) }
    }

    @Test(
        "ISBNs are known by their check digits",
        arguments: [
            ("0-8070-8369-0", "9780807083697"), ("080442957X", "9780804429573"), ("978-0-06-088328-7", "9780060883287"),
            ("0807083691", nil), ("9780060883288", nil), ("123", nil), ("", nil),
        ])
    func isbns(_ text: String, _ digits: String?) { #expect(ISBN(text)?.digits == digits) }

    @Test(
        "SHA-256 has the test vectors of FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func digests(_ text: String, _ hex: String) {
        let digits = SHA256.digest(of: Array(text.utf8)).bytes.map {
            String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }
        #expect(digits.joined() == hex)
    }

    @Test("The digest of bytes in parts equals the digest of all")
    func partedDigests() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for size in [1, 7, 63, 64, 65, 128, 1000] {
            var running = SHA256()
            for start in stride(from: 0, to: bytes.count, by: size) {
                running.update(Array(bytes[start..<min(start + size, bytes.count)]).span.bytes)
            }
            #expect(running.digest() == SHA256.digest(of: bytes), "\(size)")
        }
        #expect(SHA256().digest() == SHA256.digest(of: []))
    }

    @Test(
        "Words are compared without case, accents and apostrophes",
        arguments: [
            ("Cien Años", ["cien", "anos"]), ("O’Brien & O'Neill", ["obrien", "&", "oneill"]),
            ("GARCÍA-Márquez", ["garcia", "marquez"]), ("  ", []), ("1984", ["1984"]),
            ("Łódź Æsop", ["lodz", "aesop"]),
            ("Straße ẞ", ["strasse", "ss"]), ("İI ıi", ["ii", "ii"]), ("ｆｕｌｌ ﬁn", ["full", "fin"]),
            ("ΟΔΟΣ οδός", ["οδοσ", "οδοσ"]),
            ("الْكِتَابُ كتــاب", ["الكتاب", "كتاب"]), ("שָׁלוֹם", ["שלום"]),
            ("나무", ["나", "무"].map(\.decomposedStringWithCanonicalMapping)),
            ("がくﾞ", ["カ\u{3099}", "ク\u{3099}"]), ("น้ำ", ["น", "\u{E4D}", "า"]), ("क़िला", ["किला"]), ("٤٢ ４２", ["42", "42"]),
            ("a\u{AD}b می\u{200C}خواهم", ["ab", "ميخواهم"]), ("👩‍👩‍👧 ❤️ 1️⃣", ["1"]),
        ])
    func words(_ text: String, _ words: [String]) {
        #expect(FoldedSearchText(text).words.map { String(decoding: $0, as: UTF8.self) } == words)
    }

    @Test(
        "Texts that Unicode calls equal, and those of another case, have the same words in bytes"
    )
    func forms() {
        // All characters of the scripts, and a sample of the uniform ones of Han, Hangul and the higher planes.
        let values =
            (0..<0x3400).map { $0 } + stride(from: 0x3400, to: 0xAC00, by: 89)
            + stride(from: 0xAC00, to: 0xD7A4, by: 89)
            + (0xF900...0xFFFF).map { $0 } + stride(from: 0x10000, to: 0x32000, by: 23)
        for scalar in values.compactMap({ Unicode.Scalar(UInt32($0)) })
        where scalar.properties.generalCategory != .unassigned {
            let text = "a\(scalar)"
            let decomposed = text.decomposedStringWithCompatibilityMapping
            // The iota subscript of Greek letters is dropped like other marks; in capitals it is a separate letter.
            let hasIota = decomposed.unicodeScalars.contains("\u{345}")
            let words = FoldedSearchText(text)
            for same in [
                text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping, decomposed,
                text.precomposedStringWithCompatibilityMapping,
                String(decoding: Array(words.words.joined(separator: [0x20])), as: UTF8.self),
                text.lowercased(), hasIota ? text : text.uppercased(),
            ] {
                #expect(FoldedSearchText(same).words == words.words, "U+\(String(scalar.value, radix: 16))")
            }
        }
    }

    @Test("The replaced members of a change restore the older representation")
    func overlay() throws {
        var old = Book(id: ResourceID(madeAt: .now), title: "One", createdAt: Instant(milliseconds: 1))
        old.version = 3
        var new = old
        new.title = "Two"
        new.pageCount = 7
        new.version = 9
        new.updatedAt = Instant(milliseconds: 5)
        let difference = try #require(new.difference(from: old))
        #expect(difference.value == new.encoded() && difference.changed == Book.fields["title", "pageCount"])
        #expect(ResourceRepresentation.overlay(value: difference.value, before: difference.before) == old.encoded())
        #expect(
            try #require(ResourceRepresentation(new.encoded(), before: difference.before).flatMap { Book($0) }) == old)
        #expect(new.difference(from: new) == nil)
        // A field that has been omitted since is restored in its former place.
        let (value, before) = (#"{"id":1,"a":1,"c":3,"at":4}"#, #"{"b":2,"absent":["c"]}"#)
        let older = ResourceRepresentation.overlay(
            value: Array(value.utf8), before: Array(before.utf8), names: ["a", "b", "c"])
        #expect(older.map { String(decoding: $0, as: UTF8.self) } == #"{"id":1,"a":1,"b":2,"at":4}"#)
    }

    @Test("Texts that look alike with other bytes are different, in that field alone")
    func bytes() {
        let now = Instant.now
        let id = ResourceID(madeAt: now)
        let decomposed = Book(id: id, title: "x", authors: ["Jose\u{301}"], createdAt: now)
        let composed = Book(id: id, title: "x", authors: ["Jos\u{e9}"], createdAt: now)
        #expect(decomposed != composed && decomposed == decomposed)
        #expect(composed.difference(from: decomposed)?.changed == Book.fields["authors"])
    }
}
