public import JSON

/// An amount in an edition's unit: pages, seconds, locations, or percents. Held in thousandths, so that sums of shares
/// are whole numbers, and written as a decimal number.
public struct EditionAmount: StorableValue, Comparable, Hashable {
    public let thousandths: Int64

    /// The range of allowed amounts, in whole units. Its maximum is more than any edition has.
    public static let whole: ClosedRange<Int64> = 0...10_000_000
    public static let none = EditionAmount(thousandths: 0)

    public init(thousandths: Int64) { self.thousandths = thousandths }

    /// Creates the amount of a decimal number, to the nearest thousandth.
    init(rounding number: Double) { thousandths = Int64((number * 1000).rounded()) }

    public init(_ whole: Int64) { thousandths = min(max(whole, 0), Self.whole.upperBound) * 1000 }

    public init?(json: JSONValue) {
        guard let number = json.double, number >= 0, number <= Double(Self.whole.upperBound) else { return nil }
        self.init(rounding: number)
    }

    public init?(cell: DatabaseValue) {
        guard case .integer(let number) = cell, number >= 0, number <= Self.whole.upperBound * 1000 else { return nil }
        thousandths = number
    }

    public var cell: DatabaseValue { .integer(thousandths) }

    public func write(to json: inout JSONWriter) { json.decimal(millionths: Int(thousandths) * 1000) }

    public var isWhole: Bool { thousandths % 1000 == 0 }

    public static func < (left: EditionAmount, right: EditionAmount) -> Bool { left.thousandths < right.thousandths }
}

extension FieldRule where Value == EditionAmount {
    /// A rule that requires an amount that is possible in some unit. The command checks it against the edition's unit.
    static let amount = amount(from: 0)
    /// A rule that requires such an amount, of more than 0.
    static let positiveAmount = amount(from: 0.001)

    private static func amount(from minimum: Double) -> FieldRule {
        FieldRule { decoder, name, _ in
            let number = decoder.number(name, in: minimum...Double(EditionAmount.whole.upperBound))
            return decoder.required(name, number, .patch).map { EditionAmount(rounding: $0) }
        }
    }
}
