/// The credentials in the Authorization field (RFC 9110, 11.4; RFC 6750, 2.1).
package enum AuthorizationField {
    /// Returns the token after `Bearer `, or `nil` if the scheme is another one or nothing follows.
    @_lifetime(copy value)
    package static func bearer(_ value: RawSpan) -> RawSpan? {
        let bytes = value.bytes
        guard bytes.count > 7, bytes[6] == ASCII.space, bytes.extracting(0..<6).equalsIgnoringCase("bearer") else {
            return nil
        }
        var start = 7
        while start < bytes.count, bytes[start] == ASCII.space { start += 1 }
        return start < bytes.count ? value.extracting(start..<bytes.count) : nil
    }
}
