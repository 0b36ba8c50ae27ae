/// The origins whose pages may read answers (CORS), each with what it is told, made once. A server without any has none of this.
package final class Origins: Sendable {
    private struct Known {
        let origin: [UInt8]
        let lines: [UInt8]
    }

    private let known: [Known]
    /// What everybody is told: a cache must not give one origin what another one got.
    private static let vary: StaticString = "Vary: Origin\r\n"

    /// `exposed`: the names of the fields that a page may read, beyond those that it always may.
    package init?(_ origins: [Origin], exposed: String) {
        if origins.isEmpty { return nil }
        known = origins.map { origin in
            let lines = """
                \(Self.vary)Access-Control-Allow-Origin: \(origin.text)\r
                Access-Control-Expose-Headers: \(exposed)\r\n
                """
            return Known(origin: [UInt8](origin.text.utf8), lines: [UInt8](lines.utf8))
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
        said.withUnsafeBytes { said in known.firstIndex { $0.origin.elementsEqual(said) } ?? -1 }
    }

    /// The fields that an answer to one of them has, or to anybody else.
    func append(_ number: Int, to output: inout ByteBuffer) {
        if number < 0 { return output.append(Self.vary) }
        known[number].lines.withUnsafeBytes { if let base = $0.baseAddress { output.append(base, $0.count) } }
    }
}
