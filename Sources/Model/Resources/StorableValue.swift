public import JSON

/// A value that a field can hold: written as JSON, and stored in one cell of a row.
public protocol StorableValue: Sendable {
    /// The stored form.
    var cell: DatabaseValue { get }
    /// Creates the value from a cell, or returns `nil` if the cell does not hold one.
    init?(cell: DatabaseValue)
    /// Writes the value as JSON.
    func write(to json: inout JSONWriter)
    /// Creates the value from JSON, or returns `nil` if the JSON does not hold one.
    init?(json: JSONValue)
}

extension Optional: StorableValue where Wrapped: StorableValue {
    public var cell: DatabaseValue { self?.cell ?? .null }

    public init?(cell: DatabaseValue) {
        if case .null = cell {
            self = nil
            return
        }
        guard let value = Wrapped(cell: cell) else { return nil }
        self = value
    }

    public func write(to json: inout JSONWriter) { if let self { self.write(to: &json) } else { json.null() } }

    public init?(json: JSONValue) {
        if json.isNull {
            self = nil
            return
        }
        guard let value = Wrapped(json: json) else { return nil }
        self = value
    }
}

/// A value that is stored as its JSON.
public protocol StoredAsJSON: StorableValue {}

extension StoredAsJSON {
    public var cell: DatabaseValue {
        var json = JSONWriter(capacity: 64)
        write(to: &json)
        return .text(String(decoding: json.bytes, as: UTF8.self))
    }

    public init?(cell: DatabaseValue) {
        guard case .text(let text) = cell, let document = try? JSONDocument([UInt8](text.utf8)) else { return nil }
        self.init(json: document.root)
    }
}

/// A value with string raw values is stored and sent as its raw value.
extension StorableValue where Self: RawRepresentable, RawValue == String {
    public var cell: DatabaseValue { .text(rawValue) }
    public init?(cell: DatabaseValue) {
        if case .text(let text) = cell { self.init(rawValue: text) } else { return nil }
    }
    public func write(to json: inout JSONWriter) { json.string(rawValue) }
    public init?(json: JSONValue) { if let text = json.string { self.init(rawValue: text) } else { return nil } }
}

extension String: StorableValue {
    public var cell: DatabaseValue { .text(self) }
    public init?(cell: DatabaseValue) { if case .text(let text) = cell { self = text } else { return nil } }
    public func write(to json: inout JSONWriter) { json.string(self) }
    public init?(json: JSONValue) { if let text = json.string { self = text } else { return nil } }
}

extension Bool: StorableValue {
    public var cell: DatabaseValue { .integer(self ? 1 : 0) }
    public init?(cell: DatabaseValue) { if case .integer(let number) = cell { self = number != 0 } else { return nil } }
    public func write(to json: inout JSONWriter) { json.bool(self) }
    public init?(json: JSONValue) { if let bool = json.bool { self = bool } else { return nil } }
}

extension Int64: StorableValue {
    public var cell: DatabaseValue { .integer(self) }
    public init?(cell: DatabaseValue) { if case .integer(let number) = cell { self = number } else { return nil } }
    public func write(to json: inout JSONWriter) { json.integer(self) }
    public init?(json: JSONValue) { if let number = json.integer { self = number } else { return nil } }
}

extension Int32: StorableValue {
    public var cell: DatabaseValue { .integer(Int64(self)) }
    public init?(cell: DatabaseValue) {
        if case .integer(let number) = cell { self.init(exactly: number) } else { return nil }
    }
    public func write(to json: inout JSONWriter) { json.integer(Int64(self)) }
    public init?(json: JSONValue) { if let number = json.integer { self.init(exactly: number) } else { return nil } }
}

extension ResourceID: StorableValue {
    public var cell: DatabaseValue { .id(self) }
    public init?(cell: DatabaseValue) { if case .id(let id) = cell { self = id } else { return nil } }
    public func write(to json: inout JSONWriter) { json.string(self) }
    public init?(json: JSONValue) { if let text = json.string { self.init(text) } else { return nil } }
}

extension Instant: StorableValue {
    public var cell: DatabaseValue { .integer(milliseconds) }
    public init?(cell: DatabaseValue) {
        if case .integer(let number) = cell { self.init(milliseconds: number) } else { return nil }
    }
    public func write(to json: inout JSONWriter) { json.string(self) }
    public init?(json: JSONValue) { if let text = json.string { self.init(text) } else { return nil } }
}

extension Progress: StorableValue {
    public var cell: DatabaseValue { .integer(Int64(millionths)) }
    public init?(cell: DatabaseValue) {
        if case .integer(let number) = cell { self.init(clamping: number) } else { return nil }
    }
    /// Writes the value as a decimal number: 0, 0.43, 1.
    public func write(to json: inout JSONWriter) { json.decimal(millionths: Int(millionths)) }
    public init?(json: JSONValue) { if let number = json.double { self.init(number) } else { return nil } }
}

/// An array is stored and sent as a JSON array.
extension Array: StorableValue, StoredAsJSON where Element: StorableValue {
    public func write(to json: inout JSONWriter) {
        json.beginArray()
        for value in self { value.write(to: &json) }
        json.endArray()
    }

    public init?(json: JSONValue) {
        guard json.kind == .array else { return nil }
        self = []
        for element in json.elements {
            guard let value = Element(json: element) else { return nil }
            append(value)
        }
    }
}
