public import JSON

extension JSONWriter {
    /// Writes a value that a field can hold.
    public mutating func value(_ value: some StorableValue) { value.write(to: &self) }

    /// Writes a member. An absent value is `null`.
    @inlinable
    public mutating func member(_ name: StaticString, _ value: some StorableValue) {
        self.name(name)
        value.write(to: &self)
    }

    /// Writes a member with a number.
    @inlinable
    public mutating func member(_ name: StaticString, _ value: Int) { member(name, Int64(value)) }

    /// Writes a member, or nothing if its value is absent.
    @inlinable
    public mutating func member(_ name: StaticString, ifAny value: (some StorableValue)?) {
        if let value { member(name, value) }
    }

    /// Writes a member with a text that must be ASCII without quotation marks, backslashes and control characters.
    public mutating func member(_ name: StaticString, ascii value: StaticString) {
        self.name(name)
        string(ascii: value)
    }

    /// Writes a member with an encoded value: exactly one JSON value, on one line.
    public mutating func member(_ name: StaticString, raw encoded: [UInt8]) {
        self.name(name)
        raw(encoded)
    }
}
