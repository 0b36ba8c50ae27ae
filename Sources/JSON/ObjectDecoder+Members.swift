extension ObjectDecoder {
    /// Decodes a string whose length in Unicode scalars is in a range.
    ///
    /// Control characters are refused, including U+007F…U+009F, which some terminals obey, and so are line ends. A
    /// `multiline` text may contain line feeds, tabs and line separators.
    public mutating func string(
        _ name: StaticString, length: ClosedRange<Int>, multiline: Bool = false
    ) -> Decoded<String> {
        decode(name) { value in
            Self.text(value, length: length, multiline: multiline)
        }
    }

    /// Decodes a whole number in a range, in any notation: `1.0` is 1.
    public mutating func integer(_ name: StaticString, in range: ClosedRange<Int64>) -> Decoded<Int64> {
        decode(name) { value in
            if let integer = value.integer, range.contains(integer) { return .success(integer) }
            return .failure(Refusal("must be a whole number \(Self.span(range))"))
        }
    }

    public mutating func number(_ name: StaticString, in range: ClosedRange<Double>) -> Decoded<Double> {
        decode(name) { value in
            if let double = value.double, range.contains(double) { return .success(double) }
            return .failure(Refusal("must be a number \(Self.span(range))"))
        }
    }

    public mutating func bool(_ name: StaticString) -> Decoded<Bool> {
        decode(name) { value in
            value.bool.map { .success($0) } ?? .failure(Refusal("must be true or false"))
        }
    }

    /// Decodes an array of strings, with ranges for the number of elements and for each length in Unicode scalars.
    ///
    /// Violations point at the elements: `/authors/2`.
    public mutating func strings(
        _ name: StaticString, count: ClosedRange<Int>, length: ClosedRange<Int>
    ) -> Decoded<[String]> {
        switch find(name) {
        case .absent: return .absent
        case .null: return .null
        case .invalid: return .invalid
        case .value((let value, let place)):
            guard value.kind == .array, let strings = elements(value, count: count) else {
                record("must be an array of \(Self.amount(count, "string", "strings"))", of: name, place: place)
                return .invalid
            }
            return texts(strings, length: length, of: name, place: place)
        }
    }

    /// Returns any value except `null`, for the caller to check.
    public mutating func value(_ name: StaticString) -> Decoded<JSONValue> {
        decode(name) { .success($0) }
    }

    // MARK: - Judging

    /// The reason why a value is invalid.
    private struct Refusal: Error {
        let detail: String
        init(_ detail: String) { self.detail = detail }
    }

    private mutating func decode<T>(
        _ name: StaticString, _ judge: (JSONValue) -> Result<T, Refusal>
    ) -> Decoded<T> {
        switch find(name) {
        case .absent: return .absent
        case .null: return .null
        case .invalid: return .invalid
        case .value((let value, let place)):
            switch judge(value) {
            case .success(let decoded): return .value(decoded)
            case .failure(let refusal):
                record(refusal.detail, of: name, place: place)
                return .invalid
            }
        }
    }

    /// Returns the elements of an array if their number is in a range. A longer array is not copied.
    private func elements(_ value: JSONValue, count: ClosedRange<Int>) -> [JSONValue]? {
        var elements: [JSONValue] = []
        for element in value.elements {
            guard elements.count < count.upperBound else { return nil }
            elements.append(element)
        }
        return count.contains(elements.count) ? elements : nil
    }

    private mutating func texts(
        _ values: [JSONValue], length: ClosedRange<Int>, of name: StaticString, place: UInt32
    ) -> Decoded<[String]> {
        var texts: [String] = []
        texts.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            switch Self.text(value, length: length, multiline: false) {
            case .success(let text): texts.append(text)
            case .failure(let refusal): record(refusal.detail, at: index, of: name, place: place)
            }
        }
        return texts.count == values.count ? .value(texts) : .invalid
    }

    private static func text(
        _ value: JSONValue, length: ClosedRange<Int>, multiline: Bool
    ) -> Result<String, Refusal> {
        guard let text = value.string else { return .failure(Refusal("must be a string")) }
        let form = TextLengthScan(text)
        if form.hasOtherControls || form.hasLineControls && !multiline {
            let exception = multiline ? " other than line feeds and tabs" : ""
            return .failure(Refusal("must not contain control characters\(exception)"))
        }
        guard length.contains(form.length) else {
            return .failure(Refusal("must be \(amount(length, "character", "characters")) long"))
        }
        return .success(text)
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
