/// The origins whose pages may read responses (CORS), each with its prepared fields. A server without any has no such
/// object.
package final class AllowedOrigins: Sendable {
    private struct PreparedOrigin {
        let origin: [UInt8]
        let lines: [UInt8]
        /// A Boolean value indicating whether the origin's pages may still read. A removed origin keeps its number and
        /// fields for deferred responses.
        let isAllowed: Bool
    }

    private let known: [PreparedOrigin]
    /// A field in all responses: a cache must not give one origin another origin's response.
    private static let vary: StaticString = "Vary: Origin\r\n"

    /// Creates the list of origins. `exposed` names the fields that a page may read in addition to the standard ones.
    /// Origins of `earlier` keep their numbers, because deferred responses refer to them.
    package init?(_ origins: [WebOrigin], exposed: String, inPlaceOf earlier: AllowedOrigins? = nil) {
        if origins.isEmpty, earlier == nil { return nil }
        let texts = origins.map { [UInt8]($0.text.utf8) }
        let former = earlier?.known ?? []
        let kept = former.map {
            PreparedOrigin(origin: $0.origin, lines: $0.lines, isAllowed: texts.contains($0.origin))
        }
        let new = origins.filter { origin in !former.contains { $0.origin == [UInt8](origin.text.utf8) } }
        known =
            kept
            + new.map { origin in
                let lines = """
                    \(Self.vary)Access-Control-Allow-Origin: \(origin.text)\r
                    Access-Control-Expose-Headers: \(exposed)\r\n
                    """
                return PreparedOrigin(origin: [UInt8](origin.text.utf8), lines: [UInt8](lines.utf8), isAllowed: true)
            }
    }

    /// Returns the number of the request's origin, or -1. Programs send no origin, and neither do this server's own
    /// pages when they read.
    func number(of request: borrowing Request) -> Int {
        guard let given = request.field("origin") else { return -1 }
        // A repeated field identifies no origin.
        if request.field("origin", occurrence: 1) != nil { return -1 }
        return number(given)
    }

    func number(_ given: RawSpan) -> Int {
        given.withUnsafeBytes { given in known.firstIndex { $0.isAllowed && $0.origin.elementsEqual(given) } ?? -1 }
    }

    /// Appends the fields for an origin, or for all other clients.
    func append(_ number: Int, to output: inout ByteBuffer) {
        if number < 0 { return output.append(Self.vary) }
        known[number].lines.withUnsafeBytes { if let base = $0.baseAddress { output.append(base, $0.count) } }
    }
}
