/// A range of a request's bytes, counted from its first byte.
struct ByteRange {
    var start: UInt32 = 0
    var count: UInt32 = 0

    @inline(__always)
    init(_ start: Int, _ end: Int) {
        self.start = UInt32(truncatingIfNeeded: start)
        self.count = UInt32(truncatingIfNeeded: end &- start)
    }

    init() {}

    var range: Range<Int> { Int(start)..<(Int(start) + Int(count)) }
}

/// The ranges of a field's name and value.
struct FieldLine {
    var name: ByteRange
    var value: ByteRange
}

/// The way in which a request's body is delimited (RFC 9112, 6.3).
enum BodyFraming: Equatable {
    case none
    case length(Int)
    case chunked
}

/// The parsed part of a request: offsets only, no bytes. The parser stops where the bytes end and resumes there. A
/// request that arrives byte by byte costs no more than one that arrives at once.
struct RequestHead: ~Copyable {
    var phase = RequestHeadPhase.requestLine
    var lineStart = 0
    var scanned = 0
    var fieldsStart = 0
    var end = 0

    var method = HTTPMethod.other
    var methodText = ByteRange()
    var target = ByteRange()
    var path = ByteRange()
    var query = ByteRange()
    var authority = ByteRange()
    var isHTTP10 = false

    var fieldCount = 0
    let fieldsMax: Int
    // SAFETY: owned by this value, which cannot be copied; `fieldsMax` lines long; only the first `fieldCount` are read.
    let fields: UnsafeMutablePointer<FieldLine>

    var framing = BodyFraming.none
    var hostCount = 0
    var transferCodings = 0
    var asksClose = false
    var asksKeepAlive = false
    var expectsContinue = false

    var chunks = ChunkDecoder()
    var bodyCount = 0
    /// The offset of the first byte of a chunked body that is not decoded yet.
    var rawEnd = 0

    /// A Boolean value indicating whether the memory for fields is freed with this value.
    private var ownsFields = true

    init(fieldsMax: Int) { self.init(.allocate(capacity: fieldsMax), fieldsMax) }

    private init(_ fields: UnsafeMutablePointer<FieldLine>, _ fieldsMax: Int) {
        (self.fields, self.fieldsMax) = (fields, fieldsMax)
    }

    deinit { if ownsFields { fields.deallocate() } }

    /// Resets the head for the next request and keeps the memory for fields.
    mutating func reset() {
        ownsFields = false
        self = RequestHead(fields, fieldsMax)
    }

    /// A Boolean value indicating whether the connection persists (RFC 9112, 9.3).
    var keepsAlive: Bool { isHTTP10 ? asksKeepAlive && !asksClose : !asksClose }
}

enum RequestHeadPhase { case requestLine, fields, body }
