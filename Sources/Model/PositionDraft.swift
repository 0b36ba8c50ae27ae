import JSON

/// How far in a book, as a request says it: as a fraction, or as a page.
public enum PositionDraft: Sendable, Equatable {
    case progress(Progress)
    case page(Int32)

    /// Whether it is what is there already, whatever a page has come to mean since.
    public func says(_ known: Progress?, _ knownPage: Int32?) -> Bool {
        switch self {
        case .progress(let progress): progress == known
        case .page(let page): page == knownPage
        }
    }
}

extension ObjectDecoder {
    /// The members `progress` and `page`, of which one may be given. `isRequired`: one must be there, unless in a patch, and
    /// neither may be null.
    mutating func position(_ form: BodyForm, isRequired: Bool) -> Patch<PositionDraft> {
        let progress = number("progress", in: 0...1)
        let page = integer("page", in: 0...100_000)
        switch (progress, page) {
        case (.value, .value):
            refuse("page", "must be absent when progress is given")
            return .keep
        case (.value(let fraction), _): return Progress(fraction).map { .set(.progress($0)) } ?? .keep
        case (_, .value(let page)): return .set(.page(Int32(page)))
        case (.invalid, _), (_, .invalid): return .keep
        case (.null, _), (_, .null):
            guard isRequired else { return .clear }
            refuse(progress == .null ? "progress" : "page", "must not be null")
            return .keep
        default:
            if isRequired, form == .whole { missing("progress") }
            return .keep
        }
    }
}
