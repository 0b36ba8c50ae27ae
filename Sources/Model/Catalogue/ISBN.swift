import Bytes

/// An International Standard Book Number (ISO 2108), stored as thirteen digits.
public struct ISBN: Hashable, Sendable {
    /// The thirteen digits, which begin with 978 or 979.
    public let digits: String

    /// Parses ten or thirteen digits, with or without hyphens and spaces. Returns `nil` if the check digit is wrong.
    public init?(_ text: String) {
        let signs = text.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }
        guard signs.dropLast().allSatisfy(\.isDigit), let last = signs.last else { return nil }
        let isX = last == UInt8(ascii: "X") || last == UInt8(ascii: "x")
        var numbers = signs.dropLast().map { Int($0 - UInt8(ascii: "0")) }
        switch numbers.count {
        case 9:
            let sum = numbers.enumerated().reduce(0) { $0 + (10 - $1.offset) * $1.element }
            let check = (11 - sum % 11) % 11
            guard isX ? check == 10 : last.isDigit && check == Int(last - UInt8(ascii: "0")) else { return nil }
            numbers = [9, 7, 8] + numbers
            numbers.append(Self.check(numbers))
        case 12:
            guard last.isDigit, Self.check(numbers) == Int(last - UInt8(ascii: "0")), numbers[0] == 9, numbers[1] == 7,
                numbers[2] >= 8
            else { return nil }
            numbers.append(Int(last - UInt8(ascii: "0")))
        default: return nil
        }
        digits = String(decoding: numbers.map { UInt8($0) + UInt8(ascii: "0") }, as: UTF8.self)
    }

    /// Parses a number as people type or paste it into a search: any hyphens, digits of any width, and perhaps `ISBN`
    /// before it.
    public init?(typed text: String) {
        var words = FoldedSearchText(text).words[...]
        if let first = words.first, ["isbn", "isbn10", "isbn13"].contains(String(decoding: first, as: UTF8.self)) {
            words = words.dropFirst()
            if first.count == 4, words.count > 1, let form = words.first, form == [0x31, 0x30] || form == [0x31, 0x33] {
                words = words.dropFirst()
            }
        }
        self.init(String(decoding: words.joined(), as: UTF8.self))
    }

    /// Returns whether a short text has the form of an ISBN, whatever its check digit.
    public static func hasForm(_ text: String) -> Bool {
        text.wholeMatch(of: /(97[89][- ]?)?([0-9][- ]?){9}[0-9Xx]/) != nil
    }

    /// Returns the check digit of twelve digits.
    private static func check(_ twelve: [Int]) -> Int {
        let sum = twelve.enumerated().reduce(0) { $0 + ($1.offset % 2 == 0 ? 1 : 3) * $1.element }
        return (10 - sum % 10) % 10
    }
}
