import JSON

/// A position as a request gives it. Because people type pages and progress, an entry may contain these outside of a
/// position.
public enum PositionDraft: Sendable, Equatable {
    case progress(Progress)
    case page(Int32)
    case position(Position)

    public var value: PositionAmount {
        switch self {
        case .progress(let progress): .progress(progress)
        case .page(let page): .page(page)
        case .position(let position): position.value
        }
    }

    /// The position, or `nil` for a bare page or progress.
    public var position: Position? { if case .position(let position) = self { position } else { nil } }
}

extension ObjectDecoder {
    /// Decodes the members `progress`, `page` and `position`, of which exactly one must be present.
    mutating func entryPosition() -> PositionDraft? {
        let progress = share("progress")
        let page = self.page()
        let position = self.position("position")
        var given: [(name: StaticString, value: PositionDraft)] = []
        if let value = progress.value { given.append(("progress", .progress(value))) }
        if let value = page.value { given.append(("page", .page(value))) }
        if let value = required("position", position, .patch) { given.append(("position", .position(value))) }
        if given.count > 1 { refuse(given[1].name, "must be absent when \(given[0].name) is given") }
        if given.isEmpty, !progress.isInvalid, !page.isInvalid, position == .absent {
            refuse(
                "progress",
                "is required, unless page or position is given. For a text without a position, create a note with POST /v1/notes"
            )
        }
        return given.first?.value
    }
}
