public import JSON

/// A position in a book, as a client sent it, with exactly one amount.
public struct Position: StoredAsJSON, Equatable {
    /// The parts of a position, in a separate object. Most entries and readings have no position and are copied often.
    private final class Box: Sendable {
        let value: PositionAmount
        let edition: ResourceID?
        let locator: String?

        init(_ value: PositionAmount, _ edition: ResourceID?, _ locator: String?) {
            (self.value, self.edition, self.locator) = (value, edition, locator)
        }
    }

    private let box: Box

    public var value: PositionAmount { box.value }
    /// The edition to which the amount refers.
    public var edition: ResourceID? { box.edition }
    /// The reading program's own locator of the position.
    public var locator: String? { box.locator }

    public init(_ value: PositionAmount, edition: ResourceID? = nil, locator: String? = nil) {
        box = Box(value, edition, locator)
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
}

extension ObjectDecoder {
    /// Decodes a member that holds a position. `within` is the default share of a chapter.
    mutating func position(_ name: StaticString, within: Progress = .none) -> Decoded<Position> {
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

    private mutating func positionValues(
        within standard: Progress
    ) -> [(name: StaticString, value: PositionAmount)]? {
        let (progress, page) = (share("progress"), page())
        let (seconds, location) = (number("seconds", in: 0...3_600_000), integer("location", in: 0...10_000_000))
        let chapter = integer("chapter", in: 1...Int64(Chapters.countMax))
        let within = share("within")
        if within.value != nil, chapter == .absent { refuse("within", "must be absent without chapter") }
        let isInvalid =
            progress.isInvalid || page.isInvalid || seconds.isInvalid || location.isInvalid || chapter.isInvalid
            || within.isInvalid || within.value != nil && chapter == .absent
        guard !isInvalid else { return nil }
        var values: [(name: StaticString, value: PositionAmount)] = []
        if let given = progress.value { values.append(("progress", .progress(given))) }
        if let given = page.value { values.append(("page", .page(given))) }
        if let given = seconds.value {
            values.append(("seconds", .seconds(EditionAmount(thousandths: Int64((given * 1000).rounded())))))
        }
        if let given = location.value { values.append(("location", .location(given))) }
        if let given = chapter.value {
            values.append(("chapter", .chapter(Int32(given), within: within.value ?? standard)))
        }
        return values
    }

    /// Decodes the member `page`. Rejects a Roman number, which is a page before the story, and says what to send
    /// instead.
    mutating func page() -> Decoded<Int32> {
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
