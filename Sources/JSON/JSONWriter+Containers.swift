extension JSONWriter {
    /// Returns the text of an object whose members `body` writes.
    public static func object(capacity: Int = 512, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter(capacity: capacity)
        json.object(body)
        return json.bytes
    }

    /// Writes an object whose members `body` writes.
    @inlinable
    public mutating func object(_ body: (inout JSONWriter) -> Void) {
        beginObject()
        body(&self)
        endObject()
    }

    /// Writes a member with an object whose members `body` writes.
    @inlinable
    public mutating func object(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
        self.name(name)
        object(body)
    }

    /// Writes a member with an array. `write` writes the element for each item.
    @inlinable
    public mutating func array<Item>(
        _ name: StaticString, _ items: some Sequence<Item>, _ write: (Item, inout JSONWriter) -> Void
    ) {
        self.name(name)
        beginArray()
        for item in items { write(item, &self) }
        endArray()
    }
}
