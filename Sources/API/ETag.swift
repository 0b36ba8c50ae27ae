import HTTPServer
import Model
import Store

/// Strong validators: the id of the event that announced a state, in quotes.
enum ETag {
    static func bytes(_ id: EventID) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        bytes.append(UInt8(ascii: "\""))
        id.append(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
        return bytes
    }

    /// The validator of a list: a hash of what is sent, eight bytes at a time (FNV-1a's constants, folded like wyhash).
    static func bytes(hashing body: [UInt8]) -> [UInt8] {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ UInt64(body.count)
        body.withUnsafeBytes { bytes in
            var offset = 0
            while offset + 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                let product = (hash ^ word).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
                hash = product.high ^ product.low &+ 0x100_0000_01b3
                offset += 8
            }
            for byte in bytes[offset...] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }
        return Array("\"\(String(hash, radix: 16))\"".utf8)
    }
}

extension Precondition {
    /// What `If-Match` and `If-None-Match` of a request say, in versions of this epoch. Tags that are not ours match nothing.
    init(_ request: borrowing Request, epoch: Epoch) {
        self.init(
            ifMatch: Self.versions(request, "if-match", epoch, weak: false),
            ifNoneMatch: Self.versions(request, "if-none-match", epoch, weak: true))
    }

    private static func versions(
        _ request: borrowing Request, _ name: StaticString, _ epoch: Epoch, weak: Bool
    ) -> VersionSet? {
        var versions: [Int64] = []
        var occurrence = 0
        while let field = request.field(name, occurrence: occurrence) {
            occurrence += 1
            let text = text(of: field)
            if text == "*" { return .any }
            for element in text.split(separator: ",") {
                var tag = element.drop { $0 == " " || $0 == "\t" }
                while let last = tag.last, last == " " || last == "\t" { tag.removeLast() }
                let isWeak = tag.hasPrefix("W/")
                if isWeak { tag = tag.dropFirst(2) }
                // What is none of our tags names no state that was ever here: it matches nothing.
                guard weak || !isWeak, tag.utf8.count > 2, tag.hasPrefix("\""), tag.hasSuffix("\""),
                    let id = EventID(String(tag.dropFirst().dropLast())), id.epoch == epoch
                else { continue }
                versions.append(id.seq)
            }
        }
        return occurrence == 0 ? nil : .versions(versions)
    }
}

/// The text of a field's or a query's bytes; what is not UTF-8 becomes U+FFFD.
func text(of span: RawSpan) -> String {
    span.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
}

extension EventID {
    /// Parses `<epoch>-<seq>`; nil when it is none.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        self.init(text: bytes.span.bytes)
    }
}
