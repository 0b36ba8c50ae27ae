import JSON

/// A position as a request gives it. Because people type pages and progress, an entry may contain these outside of a
/// position.
public struct PositionDraft: Sendable, Equatable {
    public let value: PositionAmount
    /// The position, or `nil` for a bare page or progress.
    public let position: Position?

    public init(_ position: Position) { (value, self.position) = (position.value, position) }

    init(bare value: PositionAmount) { (self.value, position) = (value, nil) }
}

extension ObjectDecoder {
    /// Decodes the members `progress`, `page` and `position`, of which exactly one must be present.
    mutating func entryPosition() -> PositionDraft? {
        let progress = share("progress")
        let page = self.page()
        let position = self.position("position")
        var given: [(name: StaticString, value: PositionDraft)] = []
        if let value = progress.value { given.append(("progress", PositionDraft(bare: .progress(value)))) }
        if let value = page.value { given.append(("page", PositionDraft(bare: .page(value)))) }
        if let value = required("position", position, .patch) { given.append(("position", PositionDraft(value))) }
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
