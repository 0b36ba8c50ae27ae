public import JSON

/// A day of the UTC calendar, written as `YYYY-MM-DD`.
public struct UTCDay: StorableValue, Hashable, PlainText {
    /// The number of days since 1970-01-01.
    public let number: Int64

    public init(number: Int64) { self.number = number }

    public var cell: DatabaseValue { .integer(number) }
    public init?(cell: DatabaseValue) {
        if case .integer(let number) = cell { self.number = number } else { return nil }
    }

    public func write(to json: inout JSONWriter) { json.string(self) }

    public func append(to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 10) { text in
            var text = DateDigitWriter(text)
            text.date(ofDay: number)
            bytes.append(contentsOf: text.written)
        }
    }

    /// Returns `nil` for any JSON: no request contains a day.
    public init?(json: JSONValue) { nil }
}
