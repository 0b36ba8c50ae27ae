/// The origins whose pages may read responses (CORS). A server without any has no such object.
package final class AllowedOrigins: Sendable {
    /// A field in all responses: a cache must not give one origin another origin's response.
    private static let vary = "Vary: Origin\r\n"

    /// The fields of a response for each origin.
    private let fields: [(origin: [UInt8], lines: [UInt8])]
    private let fieldsOfOthers = [UInt8](vary.utf8)

    /// Creates the list of origins, or returns `nil` if there are none. `exposed` names the fields that a page may read
    /// in addition to the standard ones.
    package init?(_ origins: [WebOrigin], exposed: String) {
        if origins.isEmpty { return nil }
        fields = origins.map { origin in
            let lines = """
                \(Self.vary)Access-Control-Allow-Origin: \(origin.text)\r
                Access-Control-Expose-Headers: \(exposed)\r\n
                """
            return ([UInt8](origin.text.utf8), [UInt8](lines.utf8))
        }
    }

    /// Returns the fields of a response to this request. Programs send no origin, and neither do this server's own
    /// pages when they read.
    func fields(of request: borrowing Request) -> [UInt8] {
        guard let given = request.field("origin") else { return fieldsOfOthers }
        // A repeated field identifies no origin.
        if request.field("origin", occurrence: 1) != nil { return fieldsOfOthers }
        return given.withUnsafeBytes { given in
            fields.first { $0.origin.elementsEqual(given) }?.lines ?? fieldsOfOthers
        }
    }

    /// Returns whether fields let a page of another origin read the response.
    static func allow(_ fields: [UInt8]) -> Bool { fields.count > vary.utf8.count }
}
