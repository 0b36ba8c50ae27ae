public import JSON

/// Where in a book somebody is, or speaks of, as they said it.
public struct SaidPlace: StoredAsJSON, Equatable {
    /// What it was said by.
    public enum Mark: Sendable, Equatable {
        /// A share of the story, or what an edition's own percents show.
        case progress(Progress)
        case page(Int32)
        case seconds(Amount)
        case location(Int64)
        /// The first chapter is 1.
        case chapter(Int32, fraction: Progress)

        /// The member that says it.
        var name: StaticString {
            switch self {
            case .progress: "progress"
            case .page: "page"
            case .seconds: "seconds"
            case .location: "location"
            case .chapter: "chapter"
            }
        }
    }

    /// In a room of its own: most entries and readings have none, and are copied again and again.
    private final class Said: Sendable {
        let mark: Mark
        let edition: ResourceID?
        let locator: String?

        init(_ mark: Mark, _ edition: ResourceID?, _ locator: String?) {
            (self.mark, self.edition, self.locator) = (mark, edition, locator)
        }
    }

    private let said: Said

    public var mark: Mark { said.mark }
    /// In which edition it was said.
    public var edition: ResourceID? { said.edition }
    /// What a reading program calls it; kept beside it.
    public var locator: String? { said.locator }

    public init(_ mark: Mark, edition: ResourceID? = nil, locator: String? = nil) {
        said = Said(mark, edition, locator)
    }

    /// As everybody would say it.
    public var withoutLocator: SaidPlace { SaidPlace(mark, edition: edition) }

    // MARK: As it is said

    public init?(json: JSONValue) {
        var decoder = ObjectDecoder(json)
        let place = decoder.saidPlace()
        guard let place, decoder.finish().isEmpty else { return nil }
        self = place
    }

    public func write(to json: inout JSONWriter) {
        json.beginObject()
        switch mark {
        case .progress(let progress):
            json.name("progress")
            json.progress(progress)
        case .page(let page):
            json.name("page")
            json.integer(Int64(page))
        case .seconds(let seconds):
            json.name("seconds")
            seconds.write(to: &json)
        case .location(let location):
            json.name("location")
            json.integer(location)
        case .chapter(let number, let fraction):
            json.name("chapter")
            json.integer(Int64(number))
            json.name("fraction")
            json.progress(fraction)
        }
        if let edition {
            json.name("edition")
            json.id(edition)
        }
        if let locator {
            json.name("locator")
            json.string(locator)
        }
        json.endObject()
    }

    public static func == (left: SaidPlace, right: SaidPlace) -> Bool {
        left.mark == right.mark && left.edition == right.edition
            && (left.locator == nil) == (right.locator == nil)
            && (left.locator ?? "").utf8.elementsEqual((right.locator ?? "").utf8)
    }
}

extension ObjectDecoder {
    /// A member that says where in a book. `fraction`: how much of a chapter is meant where nothing else is said.
    mutating func place(_ name: StaticString, ofChapter fraction: Progress = .none) -> Decoded<SaidPlace> {
        switch value(name) {
        case .absent: return .absent
        case .null: return .null
        case .invalid: return .invalid
        case .value(let value):
            var inner = ObjectDecoder(value)
            let place = inner.saidPlace(ofChapter: fraction)
            let violations = inner.finish()
            refuse(name, violations)
            guard let place, violations.isEmpty else { return .invalid }
            return .value(place)
        }
    }

    /// All of an object that says where; nil where something is wrong with it, which has been noted.
    fileprivate mutating func saidPlace(ofChapter fraction: Progress = .none) -> SaidPlace? {
        let (edition, locator) = (resourceID("edition").value, string("locator", length: 1...2000).value)
        guard let marks = marks(ofChapter: fraction) else { return nil }
        guard marks.count == 1 else {
            if marks.isEmpty {
                refuse("progress", "is required, or a page, seconds, a location or a chapter")
            } else {
                refuse(marks[1].name, "must be absent when \(marks[0].name) is given")
            }
            return nil
        }
        return SaidPlace(marks[0], edition: edition, locator: locator)
    }

    /// All that says where; nil where something is wrong with it.
    private mutating func marks(ofChapter part: Progress) -> [SaidPlace.Mark]? {
        let (progress, page) = (number("progress", in: 0...1), page())
        let (seconds, location) = (number("seconds", in: 0...3_600_000), integer("location", in: 0...10_000_000))
        let chapter = integer("chapter", in: 1...Int64(Chapters.countMax))
        let fraction = number("fraction", in: 0...1)
        if fraction.value != nil, chapter == .absent { refuse("fraction", "must be absent without a chapter") }
        let isValid =
            progress != .invalid && page != .invalid && seconds != .invalid && location != .invalid
            && chapter != .invalid
            && fraction != .invalid && (fraction.value == nil || chapter != .absent)
        guard isValid else { return nil }
        var marks: [SaidPlace.Mark] = []
        if let said = progress.value.flatMap({ Progress($0) }) { marks.append(.progress(said)) }
        if let said = page.value { marks.append(.page(said)) }
        if let said = seconds.value { marks.append(.seconds(Amount(thousandths: Int64((said * 1000).rounded())))) }
        if let said = location.value { marks.append(.location(said)) }
        if let said = chapter.value {
            marks.append(.chapter(Int32(said), fraction: fraction.value.flatMap { Progress($0) } ?? part))
        }
        return marks
    }

    /// The member `page`; one with a Roman number, which stands before the story, is answered with what to say instead.
    mutating func page() -> Decoded<Int32> {
        if case .value(let value) = value("page"), let text = value.string, isRoman(text) {
            refuse("page", "is a page before the story when its number is Roman: say page 0, or progress 0")
            return .invalid
        }
        switch integer("page", in: 0...100_000) {
        case .absent: return .absent
        case .null: return .null
        case .invalid: return .invalid
        case .value(let page): return .value(Int32(page))
        }
    }

    private func isRoman(_ text: String) -> Bool {
        (1...20).contains(text.utf8.count) && text.lowercased().utf8.allSatisfy { "ivxlcdm".utf8.contains($0) }
    }
}
