import JSON

/// Parses a text.
func parse(_ text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) -> JSONValue {
    try JSONDocument([UInt8](text.utf8), limits: limits).root
}

/// Returns a writer's output after `write`.
func written(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    write(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
}
