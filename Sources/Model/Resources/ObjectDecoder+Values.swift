import Bytes
public import JSON

extension ObjectDecoder {
    /// Decodes a UUID.
    public mutating func resourceID(_ name: StaticString) -> DecodedMember<ResourceID> {
        parsed(string(name, length: 1...64), name, "must be a UUID") { ResourceID($0) }
    }

    /// Decodes the id of a resource, or returns `nil` if it is absent, null or invalid.
    public mutating func id(_ name: StaticString) -> ResourceID? { resourceID(name).value }

    /// Decodes the id of a resource. Notes a violation and returns zero if it is absent, null or invalid.
    public mutating func requiredID(_ name: StaticString) -> ResourceID {
        required(name, resourceID(name), .whole) ?? .zero
    }

    /// Decodes a text of one line that has a visible character.
    public mutating func visibleText(_ name: StaticString, length: ClosedRange<Int>) -> DecodedMember<String> {
        parsed(string(name, length: length), name, "must have a visible character") { $0.isVisible ? $0 : nil }
    }

    /// Decodes a share from 0 to 1.
    mutating func share(_ name: StaticString) -> DecodedMember<Progress> {
        number(name, in: 0...1).map { Progress($0) ?? .none }
    }

    /// Decodes a time.
    mutating func instant(_ name: StaticString) -> DecodedMember<Instant> {
        parsed(
            string(name, length: 1...40), name,
            "must be an RFC 3339 date-time such as 2026-11-21T09:30:00Z, in the years 0001 to 9999 of UTC"
        ) { Instant($0) }
    }

    /// Decodes a time in the future, or returns `nil` if it is absent, null or invalid.
    mutating func future(_ name: StaticString, now: Instant) -> Instant? {
        let time = instant(name).value
        if let time, time <= now { refuse(name, "must be in the future") }
        return time
    }

    /// Decodes the http or https URL of something on the web.
    mutating func url(_ name: StaticString) -> DecodedMember<String> {
        parsed(string(name, length: 10...2048), name, "must be an http or https URL") { url in
            let host = url.hasPrefix("https://") ? url.dropFirst(8) : url.hasPrefix("http://") ? url.dropFirst(7) : ""
            let isPrintable = url.utf8.allSatisfy {
                $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">")
            }
            guard let first = host.utf8.first, isPrintable else { return nil }
            return first.isLetter || first.isDigit || first == UInt8(ascii: "[") ? url : nil
        }
    }

    /// Parses a decoded text. Notes a violation if the result is `nil`.
    mutating func parsed<Value>(
        _ text: DecodedMember<String>, _ name: StaticString, _ detail: @autoclosure () -> String,
        _ parse: (String) -> Value?
    ) -> DecodedMember<Value> {
        text.flatMap { text in
            if let value = parse(text) { return .value(value) }
            refuse(name, detail())
            return .invalid
        }
    }

    /// Decodes one of a type's raw values. Notes a violation if it is null.
    public mutating func choice<Choice>(_ name: StaticString) -> Choice?
    where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
        required(name, choiceOrNull(name), .patch)
    }

    /// Decodes null, or one of a type's raw values.
    @_semantics("optimize.sil.specialize.generic.never")
    mutating func choiceOrNull<Choice>(_ name: StaticString) -> DecodedMember<Choice>
    where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
        parsed(
            string(name, length: 1...50), name,
            "must be one of " + Choice.allCases.map(\.rawValue).joined(separator: ", ")
        ) { Choice(rawValue: $0) }
    }
}
