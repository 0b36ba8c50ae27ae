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

    /// Returns the validator of a list: a hash of the body. It has four lanes of eight bytes each, so that
    /// multiplications run in parallel (folded like wyhash).
    static func bytes(hashing body: [UInt8]) -> [UInt8] {
        var lanes: (UInt64, UInt64, UInt64, UInt64) = (
            0xcbf2_9ce4_8422_2325, 0x2d35_8dcc_aa6c_78a5, 0x8bb8_4b93_962e_acc9, 0x4b33_a62e_d433_d4a3
        )
        let rest = body.withUnsafeBytes { bytes in
            let whole = bytes.count & ~31
            var offset = 0
            while offset < whole {
                lanes.0 = fold(lanes.0, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                lanes.1 = fold(lanes.1, bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
                lanes.2 = fold(lanes.2, bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self))
                lanes.3 = fold(lanes.3, bytes.loadUnaligned(fromByteOffset: offset + 24, as: UInt64.self))
                offset += 32
            }
            return bytes[whole...].reduce(UInt64(bytes.count)) { fold($0, UInt64($1)) }
        }
        let hash = fold(fold(fold(fold(rest, lanes.0), lanes.1), lanes.2), lanes.3)
        var tag: [UInt8] = []
        tag.reserveCapacity(18)
        tag.append(UInt8(ascii: "\""))
        tag += String(hash, radix: 16).utf8
        tag.append(UInt8(ascii: "\""))
        return tag
    }

    @inline(__always)
    private static func fold(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
        return (product.high ^ product.low) &+ 0x100_0000_01b3
    }
}

extension Precondition {
    /// Reads the versions in `If-Match` and `If-None-Match`. A tag that Lectern did not make, or made in another epoch
    /// of the log, matches nothing.
    init(_ request: borrowing Request, epoch: LogEpoch) {
        self.init(
            ifMatch: Self.versions(request, "if-match", epoch, weak: false),
            ifNoneMatch: Self.versions(request, "if-none-match", epoch, weak: true))
    }

    private static func versions(
        _ request: borrowing Request, _ name: StaticString, _ epoch: LogEpoch, weak: Bool
    ) -> PreconditionVersions? {
        var versions: [Int64] = []
        let listed = EntityTagPrecondition.each(in: name, of: request) { tag, isWeak in
            // A tag that Lectern did not make names no state of the resource, so it matches nothing.
            guard weak || !isWeak, let id = EventID(text: tag.extracting(1..<(tag.byteCount - 1))), id.epoch == epoch
            else { return }
            versions.append(id.seq)
        }
        return switch listed {
        case .absent: nil
        case .any: .any
        case .tags: .versions(versions)
        }
    }
}

/// Returns the text of a field's or a query's bytes. Invalid UTF-8 becomes U+FFFD.
func text(of span: RawSpan) -> String {
    span.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
}
