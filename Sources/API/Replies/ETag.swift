import Bytes
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

    /// Returns the validator of a list: a hash of the body. It has four lanes of two words each, so that
    /// multiplications run in parallel (folded like wyhash).
    static func bytes(hashing body: [UInt8]) -> [UInt8] {
        var lanes: (UInt64, UInt64, UInt64, UInt64) = (
            0xcbf2_9ce4_8422_2325, 0x2d35_8dcc_aa6c_78a5, 0x8bb8_4b93_962e_acc9, 0x4b33_a62e_d433_d4a3
        )
        let rest = body.withUnsafeBytes { bytes in
            let whole = bytes.count & ~63
            var offset = 0
            func word(_ index: Int) -> UInt64 {
                bytes.loadUnaligned(fromByteOffset: offset + 8 * index, as: UInt64.self)
            }
            while offset < whole {
                lanes.0 = fold(lanes.0, word(0), word(1))
                lanes.1 = fold(lanes.1, word(2), word(3))
                lanes.2 = fold(lanes.2, word(4), word(5))
                lanes.3 = fold(lanes.3, word(6), word(7))
                offset += 64
            }
            return bytes[whole...].reduce(UInt64(bytes.count)) { fold($0, UInt64($1)) }
        }
        let hash = fold(fold(fold(fold(rest, lanes.0), lanes.1), lanes.2), lanes.3)
        var tag: [UInt8] = []
        tag.reserveCapacity(18)
        tag.append(UInt8(ascii: "\""))
        withUnsafeBytes(of: hexDigits(UInt32(truncatingIfNeeded: hash >> 32))) { tag += $0 }
        withUnsafeBytes(of: hexDigits(UInt32(truncatingIfNeeded: hash))) { tag += $0 }
        tag.append(UInt8(ascii: "\""))
        return tag
    }

    @inline(__always)
    private static func fold(_ hash: UInt64, _ word: UInt64, _ other: UInt64 = 0) -> UInt64 {
        // The constant is not UTF-8, so no word of a text equals it, which would lose the hash.
        let product = (hash ^ word).multipliedFullWidth(by: other ^ 0x9e37_79b9_7f4a_7c15)
        return product.high ^ product.low
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
