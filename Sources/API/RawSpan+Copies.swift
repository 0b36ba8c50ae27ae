/// Returns the text of a field's or a query's bytes. Invalid UTF-8 becomes U+FFFD.
func text(of span: RawSpan) -> String {
    span.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
}

/// Returns a copy of some bytes.
func bytes(of span: RawSpan) -> [UInt8] {
    span.withUnsafeBytes { Array($0) }
}
