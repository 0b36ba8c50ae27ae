extension JSONWriter {
    /// Writes a value of a document on one line, without the white space it may have had; numbers as they were written.
    ///
    /// The recursion ends: `JSONLimits.depthMax` bounds it.
    public mutating func value(_ value: JSONValue) {
        let entry = value.entry
        switch entry.kind {
        case .object:
            beginObject()
            for member in value.members {
                name(member.name)
                self.value(member.value)
            }
            endObject()
        case .array:
            beginArray()
            for element in value.elements { self.value(element) }
            endArray()
        case .string: string(value.document.text(of: entry))
        case .number, .bool, .null:
            let bytes = value.document.bytes
            raw(bytes.span.extracting(value.range))
        }
    }
}
