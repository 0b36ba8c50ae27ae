internal import Glibc

/// A growable buffer with a single owner, for bytes that a socket received or has yet to send.
struct ByteBuffer: ~Copyable {
    // SAFETY: `base` is owned by this value, which cannot be copied; `count <= capacity` bytes of it are initialised.
    private(set) var base: UnsafeMutableRawPointer?
    private(set) var capacity = 0
    var count = 0

    deinit { free(base) }

    /// Reserves space for `extra` bytes after `count` and returns its start.
    @inline(__always)
    mutating func reserve(_ extra: Int) -> UnsafeMutableRawPointer {
        if capacity &- count < extra || base == nil { grow(extra) }
        return base.unsafelyUnwrapped + count
    }

    @inline(never)
    private mutating func grow(_ extra: Int) {
        let wanted = max(count + extra, capacity * 2, 256)
        guard let grown = realloc(base, wanted) else { fatalError("out of memory") }
        base = grown
        capacity = wanted
    }

    @inline(__always)
    mutating func append(_ start: UnsafeRawPointer, _ extra: Int) {
        reserve(extra).copyMemory(from: start, byteCount: extra)
        count &+= extra
    }

    @inline(__always)
    mutating func append(_ text: StaticString) {
        append(text.utf8Start, text.utf8CodeUnitCount)
    }

    mutating func append(decimal value: Int) {
        var text = String(value)
        text.withUTF8 { if let start = $0.baseAddress { append(start, $0.count) } }
    }

    /// Appends a stream's frames, as one chunk or without framing. Without any bytes it appends no chunk, because an
    /// empty chunk ends the body.
    mutating func append(frames: some Collection<[UInt8]>, chunked: Bool) {
        var total = 0
        for frame in frames { total += frame.count }
        guard total > 0 else { return }
        if chunked { append(chunkHead: total) }
        for frame in frames { frame.withUnsafeBytes { if let base = $0.baseAddress { append(base, $0.count) } } }
        if chunked { append("\r\n") }
    }

    /// Appends the head of a chunk of `count` bytes, which must be positive (RFC 9112, 7.1).
    mutating func append(chunkHead count: Int) {
        let digits = (Int.bitWidth - count.leadingZeroBitCount + 3) / 4
        let room = reserve(18)
        for index in 0..<digits {
            let value = UInt8(truncatingIfNeeded: count >> (4 * (digits - 1 - index)) & 0xF)
            room.storeBytes(of: value + (value < 10 ? 48 : 87), toByteOffset: index, as: UInt8.self)
        }
        self.count += digits
        append("\r\n")
    }

    /// Removes the first `gone` bytes and moves the rest to the front.
    mutating func removeFirst(_ gone: Int) {
        guard gone > 0, let base else { return }
        count -= gone
        if count > 0 { memmove(base, base + gone, count) }
    }

    mutating func release() {
        free(base)
        base = nil
        capacity = 0
        count = 0
    }
}
