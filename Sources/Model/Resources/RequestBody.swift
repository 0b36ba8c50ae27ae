public import JSON

/// The body of a request that creates or changes something.
public protocol RequestBody: Sendable {
    /// Decodes the body, and notes violations.
    init(_ decoder: inout ObjectDecoder, _ form: RequestBodyForm)
}

extension RequestBody {
    /// Decodes a body. Throws `RequestError.invalid` with all violations.
    @inlinable
    public init(_ body: JSONValue, form: RequestBodyForm = .whole) throws(RequestError) {
        var decoder = ObjectDecoder(body)
        self.init(&decoder, form)
        try decoder.demandValid()
    }
}

/// The form of a body, which decides which members it must have.
public enum RequestBodyForm: Sendable {
    /// The whole resource: required members must be present, absent ones are null.
    case whole
    /// A merge patch: absent members keep their values.
    case patch
}

extension ObjectDecoder {
    /// Returns the value of the member. Notes a violation if it is null, or absent from a whole body.
    public mutating func required<T>(_ name: StaticString, _ decoded: DecodedMember<T>, _ form: RequestBodyForm) -> T? {
        switch (decoded, form) {
        case (.absent, .whole): missing(name)
        case (.null, _): refuse(name, "must not be null")
        default: break
        }
        return decoded.value
    }

    /// Throws `RequestError.invalid` with all violations, if there are any.
    public mutating func demandValid() throws(RequestError) {
        let violations = finish()
        guard violations.isEmpty else { throw .invalid(violations) }
    }
}
