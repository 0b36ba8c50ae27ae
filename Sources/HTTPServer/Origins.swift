/// The origins whose pages may read answers (CORS), each with what it is told, made once. A server without any has none of this.
package final class Origins: Sendable {
    private struct Known {
        let origin: [UInt8]
        let lines: [UInt8]
        /// Whether its pages may still read; what it was told meanwhile it may keep.
        let isAllowed: Bool
    }

    private let known: [Known]
    /// What everybody is told: a cache must not give one origin what another one got.
    private static let vary: StaticString = "Vary: Origin\r\n"

    /// `exposed`: the names of the fields that a page may read, beyond those that it always may. In the place of `earlier` ones: whoever waits for
    /// an answer keeps its number.
    package init?(_ origins: [Origin], exposed: String, inPlaceOf earlier: Origins? = nil) {
        if origins.isEmpty, earlier == nil { return nil }
        let texts = origins.map { [UInt8]($0.text.utf8) }
        let former = earlier?.known ?? []
        let kept = former.map {
            Known(origin: $0.origin, lines: $0.lines, isAllowed: texts.contains($0.origin))
        }
        let new = origins.filter { origin in !former.contains { $0.origin == [UInt8](origin.text.utf8) } }
        known =
            kept
            + new.map { origin in
                let lines = """
                    \(Self.vary)Access-Control-Allow-Origin: \(origin.text)\r
                    Access-Control-Expose-Headers: \(exposed)\r\n
                    """
                return Known(origin: [UInt8](origin.text.utf8), lines: [UInt8](lines.utf8), isAllowed: true)
            }
    }

    /// Which of them asks; -1 for none, as for most: a program says no origin, and neither does a page of this very server that reads.
    func number(of request: borrowing Request) -> Int {
        guard let said = request.field("origin") else { return -1 }
        // Said twice it is nobody's.
        if request.field("origin", occurrence: 1) != nil { return -1 }
        return number(said)
    }

    func number(_ said: RawSpan) -> Int {
        said.withUnsafeBytes { said in known.firstIndex { $0.isAllowed && $0.origin.elementsEqual(said) } ?? -1 }
    }

    /// The fields that an answer to one of them has, or to anybody else.
    func append(_ number: Int, to output: inout ByteBuffer) {
        if number < 0 { return output.append(Self.vary) }
        known[number].lines.withUnsafeBytes { if let base = $0.baseAddress { output.append(base, $0.count) } }
    }
}
