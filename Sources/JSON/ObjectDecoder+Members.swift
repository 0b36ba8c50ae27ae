extension ObjectDecoder {
    /// Decodes a string whose length in Unicode scalars is in a range.
    ///
    /// Control characters are refused, including U+007F…U+009F, which some terminals obey, and so are line ends. A
    /// `multiline` text may contain line feeds, tabs and line separators.
    public mutating func string(
        _ name: StaticString, length: ClosedRange<Int>, multiline: Bool = false
    ) -> DecodedMember<String> {
        find(name).flatMap { value, place in
            do throws(Refusal) {
                return .value(try Self.text(value, length: length, multiline: multiline))
            } catch {
                record(error.detail, of: name, place: place)
                return .invalid
            }
        }
    }

    /// Decodes a whole number in a range, in any notation: `1.0` is 1.
    public mutating func integer(_ name: StaticString, in range: ClosedRange<Int64>) -> DecodedMember<Int64> {
        parsed(name, "must be a whole number \(Self.span(range))") { value in
            value.integer.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    public mutating func number(_ name: StaticString, in range: ClosedRange<Double>) -> DecodedMember<Double> {
        parsed(name, "must be a number \(Self.span(range))") { value in
            value.double.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    public mutating func bool(_ name: StaticString) -> DecodedMember<Bool> {
        parsed(name, "must be true or false") { $0.bool }
    }

    /// Parses a value. Records a violation if the result is `nil`.
    public mutating func parsed<T>(
        _ name: StaticString, _ detail: @autoclosure () -> String, _ parse: (JSONValue) -> T?
    ) -> DecodedMember<T> {
        find(name).flatMap { value, place in
            if let result = parse(value) { return .value(result) }
            record(detail(), of: name, place: place)
            return .invalid
        }
    }

    /// Decodes an array, for the caller to check its elements. `elements` names them in a violation.
    public mutating func array(_ name: StaticString, of elements: String) -> DecodedMember<[JSONValue]> {
        parsed(name, "must be an array of \(elements)") { $0.kind == .array ? $0.elements : nil }
    }

    /// Decodes an array of strings, with ranges for the number of elements and for each length in Unicode scalars.
    ///
    /// Violations point at the elements: `/authors/2`.
    public mutating func strings(
        _ name: StaticString, count: ClosedRange<Int>, length: ClosedRange<Int>
    ) -> DecodedMember<[String]> {
        find(name).flatMap { value, place in
            let values = value.elements
            guard value.kind == .array, count.contains(values.count) else {
                record("must be an array of \(Self.amount(count, "string", "strings"))", of: name, place: place)
                return .invalid
            }
            var texts: [String] = []
            texts.reserveCapacity(values.count)
            for (index, value) in values.enumerated() {
                do throws(Refusal) {
                    texts.append(try Self.text(value, length: length, multiline: false))
                } catch {
                    record(error.detail, at: index, of: name, place: place)
                }
            }
            return texts.count == values.count ? .value(texts) : .invalid
        }
    }

    /// Returns any value except `null`, for the caller to check.
    public mutating func value(_ name: StaticString) -> DecodedMember<JSONValue> { find(name).map(\.value) }

    // MARK: - Judging

    /// The reason why a value is invalid.
    private struct Refusal: Error {
        let detail: String
    }

    private static func text(
        _ value: JSONValue, length: ClosedRange<Int>, multiline: Bool
    ) throws(Refusal) -> String {
        guard let text = value.string else { throw Refusal(detail: "must be a string") }
        let form = TextLengthScan(text)
        if form.hasOtherControls || form.hasLineControls && !multiline {
            let exception = multiline ? " other than line feeds and tabs" : ""
            throw Refusal(detail: "must not contain control characters\(exception)")
        }
        guard length.contains(form.length) else {
            throw Refusal(detail: "must be \(amount(length, "character", "characters")) long")
        }
        return text
    }

    // MARK: - Saying a range

    /// Returns a range in words: "1 to 200 characters", "at most 200 characters", "exactly 1 character".
    private static func amount(_ range: ClosedRange<Int>, _ one: String, _ many: String) -> String {
        let unit = range.upperBound == 1 ? one : many
        if range.lowerBound == range.upperBound { return "exactly \(range.upperBound) \(unit)" }
        if range.lowerBound <= 0 { return "at most \(range.upperBound) \(unit)" }
        return "\(range.lowerBound) to \(range.upperBound) \(unit)"
    }

    private static func span<Bound>(_ range: ClosedRange<Bound>) -> String {
        func plain(_ bound: Bound) -> String {
            let text = "\(bound)"
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }
        return "from \(plain(range.lowerBound)) to \(plain(range.upperBound))"
    }
}
