import JSON

/// How far in a book, as a request says it: as a fraction or a page, in short, or in full.
public enum PositionDraft: Sendable, Equatable {
    case progress(Progress)
    case page(Int32)
    case at(SaidPlace)

    /// What it was said by.
    public var mark: SaidPlace.Mark {
        switch self {
        case .progress(let progress): .progress(progress)
        case .page(let page): .page(page)
        case .at(let said): said.mark
        }
    }

    /// What was said in full; nil of the short form.
    public var said: SaidPlace? { if case .at(let said) = self { said } else { nil } }

    /// Whether it is what is there already, whatever a page has come to mean since.
    public func says(_ known: Progress?, _ knownPage: Int32?, _ knownPlace: SaidPlace?) -> Bool {
        switch self {
        case .progress(let progress): progress == known && knownPlace == nil
        case .page(let page): page == knownPage && knownPlace == nil
        case .at(let said): said == knownPlace
        }
    }
}

extension ObjectDecoder {
    /// The members `progress` and `page`, and `at` where that may say it, of which one may be given. `isRequired`: one must be
    /// there, unless in a patch, and none may be removed. `withoutPlace`: what to do instead.
    mutating func position(
        _ form: BodyForm, isRequired: Bool, takesPlace: Bool = false, withoutPlace: String = ""
    ) -> Patch<PositionDraft> {
        let progress = number("progress", in: 0...1)
        let page = self.page()
        let at: Decoded<SaidPlace> = takesPlace ? place("at") : .absent
        let said: [(name: StaticString, isNull: Bool, isInvalid: Bool, value: PositionDraft?)] = [
            (
                "progress", progress.isNull, progress.isInvalid,
                progress.value.flatMap { Progress($0) }.map { .progress($0) }
            ),
            ("page", page.isNull, page.isInvalid, page.value.map { .page($0) }),
            ("at", at.isNull, at.isInvalid, at.value.map { .at($0) }),
        ]
        let values = said.filter { $0.value != nil }
        if values.count > 1 {
            refuse(values[1].name, "must be absent when \(values[0].name) is given")
            return .keep
        }
        if let value = values.first?.value { return .set(value) }
        if said.contains(where: \.isInvalid) { return .keep }
        if let null = said.first(where: \.isNull), form == .patch || !isRequired {
            guard isRequired else { return .clear }
            refuse(null.name, "can be replaced by another position, not removed")
            return .keep
        }
        if isRequired, form == .whole {
            refuse("progress", "is required, unless page\(takesPlace ? " or at" : "") is given\(withoutPlace)")
        }
        return .keep
    }
}
