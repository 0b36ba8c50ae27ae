import JSON

/// The mapping of positions in a book to amounts of scales and to shares of the book, and of shares back to positions.
public struct PositionResolver: Sendable {
    /// The edition whose unit positions use, or `nil` for none.
    public let edition: Edition?
    private let pageCount: Int32?
    private let chapters: Chapters?
    /// The amount at which each chapter begins in the edition, in millionths of its unit. Empty without anchors.
    private let anchors: [Int64]

    /// Creates a mapping for an edition, or for a number of pages.
    ///
    /// - Parameters:
    ///   - pageCount: The number of pages for positions without an edition.
    ///   - anchors: The edition's anchors. They are ignored unless there is one for each chapter.
    public init(
        _ edition: Edition? = nil, pageCount: Int32? = nil, chapters: Chapters? = nil, anchors: [EditionAmount] = []
    ) {
        self.edition = edition
        self.pageCount = edition?.pageCount ?? pageCount
        self.chapters = chapters
        let isAnchored = edition != nil && !anchors.isEmpty && anchors.count == chapters?.chapters.count
        self.anchors = isAnchored ? anchors.map(\.millionths) : []
    }

    /// Resolves a position.
    ///
    /// - Throws: `RequestError.invalid` if the book, or the edition, has no such position.
    public func resolve(_ draft: PositionDraft) throws(RequestError) -> ResolvedPosition {
        switch draft.value {
        case .chapter(let number, let within): return try resolve(chapter: number, within, draft)
        case .page(let page):
            guard let edition else { return try resolve(page: page, draft) }
            return try resolve(EditionAmount(Int64(page)), .page, in: edition, draft)
        case .seconds(let seconds): return try resolve(seconds, .second, in: edition, draft)
        case .location(let location): return try resolve(EditionAmount(location), .location, in: edition, draft)
        case .progress(let progress): return resolve(progress, draft)
        }
    }

    // MARK: Positions at a share or an amount

    /// Returns the first position of the edition at which a share is reached, in the edition's unit; `nil` without an
    /// edition.
    public func value(at share: Progress) -> PositionAmount? {
        edition.map {
            value(
                at: $0.start + Int64(share.millionths).times($0.span, over: ComparisonScale.unit, roundsUp: true),
                in: $0)
        }
    }

    /// Returns the page at which a share is reached, if pages are known.
    public func page(at share: Progress) -> Int32? {
        edition == nil ? pageCount.map(share.page(of:)) : value(at: share)?.page
    }

    /// Returns the first position at which a share is reached: of the edition, of the pages, or as plain progress.
    public func position(at share: Progress) -> Position {
        if let value = value(at: share) { return Position(value, edition: edition?.id) }
        guard let pageCount else { return Position(.progress(share)) }
        var page = share.page(of: pageCount)
        while page < pageCount, let reached = Progress(page: page, of: pageCount), reached < share { page += 1 }
        return Position(.page(page))
    }

    /// Returns the first position of the edition, or of the pages, at which an amount is reached; `nil` if they have no
    /// such scale.
    public func value(at exact: ScaleAmount) -> PositionAmount? {
        switch exact.scale {
        case .progress: edition == nil && pageCount == nil ? .progress(Progress(clamping: exact.amount)) : nil
        case .pages(let total):
            edition == nil && total == pageCount ? .page(Int32(clamping: exact.amount / ComparisonScale.unit)) : nil
        case .edition(let id, let revision):
            edition.flatMap { $0.id == id && $0.revision == revision ? value(at: exact.amount, in: $0) : nil }
        case .chapters(let revision):
            revision == chapters?.revision ? edition.flatMap { value(atChapters: exact.amount, in: $0) } : nil
        }
    }

    private func value(atChapters amount: Int64, in edition: Edition) -> PositionAmount? {
        guard !anchors.isEmpty else { return nil }
        let (number, within) = amount.quotientAndRemainder(dividingBy: ComparisonScale.unit)
        let (begin, end) = bounds(ofChapter: Int(number), in: edition)
        return value(at: begin + within.times(end - begin, over: ComparisonScale.unit, roundsUp: true), in: edition)
    }

    private func value(at amount: Int64, in edition: Edition) -> PositionAmount {
        let whole = (amount + ComparisonScale.unit - 1) / ComparisonScale.unit
        return switch edition.unit {
        case .page: .page(Int32(clamping: whole))
        case .location: .location(whole)
        case .second: .seconds(EditionAmount(thousandths: (amount + 999) / 1000))
        case .percent: .progress(Progress(clamping: (amount + 99) / 100))
        }
    }

    // MARK: Resolving by kind of amount

    /// Resolves progress. In an edition counted in percents it is the number shown, otherwise a share of the story.
    private func resolve(_ progress: Progress, _ draft: PositionDraft) -> ResolvedPosition {
        guard let edition else {
            return ResolvedPosition(
                position: draft.position, share: progress, page: page(at: progress),
                own: ScaleAmount(.progress, Int64(progress.millionths)), chapters: nil)
        }
        guard edition.unit != .percent else { return resolved(Int64(progress.millionths) * 100, draft, in: edition) }
        let amount = edition.start + Int64(progress.millionths).times(edition.span, over: ComparisonScale.unit)
        return resolved(amount, share: progress, draft, in: edition)
    }

    private func resolve(page: Int32, _ draft: PositionDraft) throws(RequestError)
        -> ResolvedPosition
    {
        guard let pageCount else {
            throw draft.refusal("page", "needs a pageCount, which is not known: send progress instead")
        }
        guard let share = Progress(page: page, of: pageCount) else {
            throw draft.refusal("page", "must be at most \(pageCount), the last page")
        }
        return ResolvedPosition(
            position: draft.position, share: share, page: page,
            own: ScaleAmount(.pages(pageCount), Int64(page) * ComparisonScale.unit), chapters: nil)
    }

    private func resolve(
        _ amount: EditionAmount, _ unit: EditionUnit, in edition: Edition?, _ draft: PositionDraft
    ) throws(RequestError) -> ResolvedPosition {
        let member = unit == .second ? "seconds" : unit.rawValue
        guard let edition else { throw draft.refusal(member, "needs an edition with \(unit.rawValue)s") }
        guard edition.unit == unit else {
            throw draft.refusal(member, "is not the unit of this edition, which has \(edition.unit.rawValue)s")
        }
        guard amount <= edition.length else {
            let last = edition.length.thousandths / 1000
            throw draft.refusal(
                member,
                "must be at most \(last), the last \(unit.rawValue) of this edition. Add other editions with POST /v1/books/\(edition.book)/editions"
            )
        }
        return resolved(amount.millionths, draft, in: edition)
    }

    private func resolve(
        chapter number: Int32, _ within: Progress, _ draft: PositionDraft
    ) throws(RequestError) -> ResolvedPosition {
        guard let chapters else {
            throw draft.refusal("chapter", "needs the book's chapters: add them with PUT /v1/books/ID/chapters")
        }
        guard Int(number) <= chapters.chapters.count else {
            throw draft.refusal("chapter", "must be at most \(chapters.chapters.count), the last chapter")
        }
        let begins = chapters.begins
        let begin = begins[Int(number) - 1].millionths
        let end = Int(number) < begins.count ? begins[Int(number)].millionths : Progress.whole.millionths
        let part = Int64(within.millionths).times(Int64(end - begin), over: ComparisonScale.unit)
        let share = Progress(clamping: Int64(begin) + part)
        let exact = ScaleAmount(
            .chapters(revision: chapters.revision), Int64(number) * ComparisonScale.unit + Int64(within.millionths))
        return ResolvedPosition(
            position: draft.position, share: share, page: value(at: exact)?.page ?? page(at: share), own: exact,
            chapters: nil)
    }

    private func resolved(
        _ amount: Int64, share given: Progress? = nil, _ draft: PositionDraft, in edition: Edition
    ) -> ResolvedPosition {
        let share = given ?? edition.share(at: amount)
        return ResolvedPosition(
            position: Position(draft.value, edition: edition.id, locator: draft.position?.locator), share: share,
            page: draft.value.page ?? page(at: share),
            own: ScaleAmount(.edition(edition.id, revision: edition.revision), amount),
            chapters: byChapters(amount, in: edition))
    }

    /// Returns the amount by chapters for an amount of the edition. Amounts before the first chapter are in chapter 0.
    private func byChapters(_ amount: Int64, in edition: Edition) -> ScaleAmount? {
        guard !anchors.isEmpty, let chapters else { return nil }
        let number = anchors.lastIndex { $0 <= amount }.map { $0 + 1 } ?? 0
        let (begin, end) = bounds(ofChapter: number, in: edition)
        let read = min(max(amount, begin), end) - begin
        let within = end > begin ? read.times(ComparisonScale.unit, over: end - begin) : 0
        return ScaleAmount(.chapters(revision: chapters.revision), Int64(number) * ComparisonScale.unit + within)
    }

    private func bounds(ofChapter number: Int, in edition: Edition) -> (begin: Int64, end: Int64) {
        let begin = number > 0 ? anchors[min(number, anchors.count) - 1] : min(edition.start, anchors[0])
        if number > anchors.count { return (edition.end, edition.end) }
        return (begin, number < anchors.count ? anchors[number] : edition.end)
    }
}

extension PositionDraft {
    /// Returns the violation of a member of the position.
    fileprivate func refusal(_ member: String, _ detail: String) -> RequestError {
        .violation(position == nil ? "/\(member)" : "/position/\(member)", detail)
    }
}

extension Edition {
    /// The amount at which the story begins, in millionths of the unit. `end` is the amount at which it ends.
    fileprivate var start: Int64 { storyStart.millionths }
    fileprivate var end: Int64 { storyEnd.millionths }
    fileprivate var span: Int64 { end - start }

    /// Returns the share of the story before an amount.
    func share(at amount: Int64) -> Progress {
        Progress(clamping: (min(max(amount, start), end) - start).times(ComparisonScale.unit, over: span))
    }
}

extension EditionAmount {
    /// The amount in millionths of the unit, as scales count.
    var millionths: Int64 { thousandths * 1000 }
}

extension Int64 {
    /// Returns this number times `factor` divided by `divisor`. The product may exceed 64 bits, the result may not.
    fileprivate func times(_ factor: Int64, over divisor: Int64, roundsUp: Bool = false) -> Int64 {
        let (quotient, remainder) = divisor.dividingFullWidth(multipliedFullWidth(by: factor))
        return quotient + (roundsUp && remainder > 0 ? 1 : 0)
    }
}
