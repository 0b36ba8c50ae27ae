public import JSON

/// A position in a book, as a client sent it, with exactly one amount.
public struct Position: StoredAsJSON, Equatable {
    public let value: PositionAmount
    /// The edition to which the amount refers.
    public let edition: ResourceID?
    /// The reading program's own locator of the position.
    public let locator: String?

    public init(_ value: PositionAmount, edition: ResourceID? = nil, locator: String? = nil) {
        (self.value, self.edition, self.locator) = (value, edition, locator)
    }

    /// The position without its locator, which is the author's own.
    public var withoutLocator: Position { Position(value, edition: edition) }

    public init?(json: JSONValue) {
        var decoder = ObjectDecoder(json)
        let position = decoder.positionMembers()
        guard let position, decoder.finish().isEmpty else { return nil }
        self = position
    }

    public func write(to json: inout JSONWriter) {
        json.object { json in
            switch value {
            case .progress(let progress):
                json.member("progress", progress)
            case .page(let page):
                json.member("page", page)
            case .seconds(let seconds):
                json.member("seconds", seconds)
            case .location(let location):
                json.member("location", location)
            case .chapter(let number, let within):
                json.member("chapter", number)
                json.member("within", within)
            }
            json.member("edition", ifAny: edition)
            json.member("locator", ifAny: locator)
        }
    }

    public static func == (left: Position, right: Position) -> Bool {
        left.value == right.value && left.edition == right.edition
            && left.locator.map { Array($0.utf8) } == right.locator.map { Array($0.utf8) }
    }
}

public enum PositionAmount: Sendable, Equatable {
    /// The number that an edition counted in percents shows, or a share of the story.
    case progress(Progress)
    case page(Int32)
    case seconds(EditionAmount)
    case location(Int64)
    /// The number of a chapter, from 1, and the share of it.
    case chapter(Int32, within: Progress)

    /// The page, or `nil` for an amount of another kind.
    public var page: Int32? { if case .page(let page) = self { page } else { nil } }
}

extension ObjectDecoder {
    /// Decodes a member that holds a position. `within` is the default share of a chapter.
    mutating func position(_ name: StaticString, within: Progress = .none) -> DecodedMember<Position> {
        value(name).flatMap { value in
            var inner = ObjectDecoder(value)
            let position = inner.positionMembers(within: within)
            let violations = inner.finish()
            refuse(name, violations)
            guard let position, violations.isEmpty else { return .invalid }
            return .value(position)
        }
    }

    /// Decodes the members of a position, or returns `nil` after it noted a violation.
    fileprivate mutating func positionMembers(within: Progress = .none) -> Position? {
        let (edition, locator) = (resourceID("edition").value, string("locator", length: 1...2000).value)
        guard let values = positionValues(within: within) else { return nil }
        guard values.count == 1 else {
            if values.isEmpty {
                refuse("progress", "is required, unless page, seconds, location or chapter is given")
            } else {
                refuse(
                    values[1].name, "must be absent when \(values[0].name) is given: a position has exactly one amount")
            }
            return nil
        }
        return Position(values[0].value, edition: edition, locator: locator)
    }

    /// Decodes the amounts of a position, or returns `nil` after it noted a violation.
    private mutating func positionValues(
        within standard: Progress
    ) -> [(name: StaticString, value: PositionAmount)]? {
        let (within, chapter) = (share("within"), integer("chapter", in: 1...Int64(Chapters.countMax)))
        let given: [(name: StaticString, amount: DecodedMember<PositionAmount>)] = [
            ("progress", share("progress").map { .progress($0) }), ("page", page().map { .page($0) }),
            ("seconds", number("seconds", in: 0...3_600_000).map { .seconds(EditionAmount(rounding: $0)) }),
            ("location", integer("location", in: 0...10_000_000).map { .location($0) }),
            ("chapter", chapter.map { .chapter(Int32($0), within: within.value ?? standard) }),
        ]
        if within.value != nil, chapter == .absent {
            refuse("within", "must be absent without chapter")
            return nil
        }
        guard !within.isInvalid, !given.contains(where: { $0.amount.isInvalid }) else { return nil }
        return given.compactMap { name, amount in amount.value.map { (name, $0) } }
    }

    /// Decodes the member `page`. Rejects a Roman number, which is a page before the story, and says what to send
    /// instead.
    mutating func page() -> DecodedMember<Int32> {
        if case .value(let value) = value("page"), let text = value.string, isRoman(text) {
            refuse("page", "must be a number. For pages with Roman numerals, send page 0 or progress 0")
            return .invalid
        }
        return integer("page", in: 0...100_000).map { Int32($0) }
    }

    private func isRoman(_ text: String) -> Bool {
        (1...20).contains(text.utf8.count) && text.lowercased().utf8.allSatisfy { "ivxlcdm".utf8.contains($0) }
    }
}
