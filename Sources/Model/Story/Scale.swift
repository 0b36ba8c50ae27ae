import JSON

/// By what places in a book are said, and what they mean: an edition, or none, and the book's chapters.
public struct Scale: Sendable {
    public let edition: Edition?
    private let pageCount: Int32?
    private let measure: Measure?
    private let isAnchored: Bool
    /// Where each chapter begins in the story.
    private let begins: [Progress]
    /// That of another edition, whose chapters are known.
    private let borrowed: Measure?
    /// All that was ever held true of the edition when something was said in it, and is now.
    public let believed: Believed?
    /// Whether what is held true now is new.
    public let isNews: Bool

    /// Without an edition, by so many pages.
    public init(pageCount: Int32?) { self.init(nil, pageCount: pageCount, anchors: [], chapters: []) }

    /// An edition with its anchors, or without; `borrowed` are those of another one. `believed`: what was held true of it before.
    public init(
        _ edition: Edition?, pageCount: Int32?, anchors: [Amount], chapters: [Progress],
        borrowed: (edition: Edition, anchors: [Amount])? = nil, believed: Believed? = nil
    ) {
        self.edition = edition
        self.pageCount = edition?.pageCount ?? pageCount
        isAnchored = edition != nil && !anchors.isEmpty && anchors.count == chapters.count
        begins = chapters
        measure = edition.map {
            Measure($0, anchors: anchors.count == chapters.count ? anchors : [], chapters: chapters)
        }
        self.borrowed = borrowed.map { Measure($0.edition, anchors: $0.anchors, chapters: chapters) }
        var held = measure.map { Believed($0) }
        if !isAnchored, let edition, let borrowed = self.borrowed {
            held = held?.and(Believed(borrowed, stretchedOver: edition))
        }
        self.believed = believed.map { held?.and($0) ?? $0 } ?? held
        isNews = self.believed != believed
    }

    /// The same of no edition, by the beginnings of chapters alone.
    public var ofChapters: Scale {
        Scale(nil, pageCount: nil, anchors: [], chapters: begins)
    }

    /// What a place means that was said; throws `invalid` for one that is not in it.
    public func placed(_ position: PositionDraft) throws(LecternError) -> Placed {
        let refusal = Refusal(isShort: position.said == nil)
        switch position.mark {
        case .chapter(let number, let fraction):
            return try placed(chapter: number, fraction, position, refusal)
        case .progress(let progress):
            if let edition, edition.unit == .percent {
                return placed(Amount(thousandths: Int64(progress.millionths) / 10), position, in: edition)
            }
            return placed(share: progress, position)
        case .page(let page):
            guard let edition else { return try placed(page: page, position, refusal) }
            return try placed(Amount(Int64(page)), .page, in: edition, position, refusal)
        case .seconds(let seconds): return try placed(seconds, .second, in: edition, position, refusal)
        case .location(let location): return try placed(Amount(location), .location, in: edition, position, refusal)
        }
    }

    /// The mark of the edition's unit at which that share is reached; nil without one.
    public func mark(at share: Progress) -> SaidPlace.Mark? {
        guard let edition, let measure else { return nil }
        let amount = measure.amount(at: share).thousandths
        return switch edition.unit {
        case .page: .page(Int32(clamping: (amount + 999) / 1000))
        case .second: .seconds(Amount(thousandths: amount))
        case .location: .location((amount + 999) / 1000)
        case .percent: .progress(Progress(clamping: amount * 10))
        }
    }

    /// The page at which that share is reached, where pages are known.
    public func page(at share: Progress) -> Int32? {
        guard edition != nil else { return pageCount.map(share.page(of:)) }
        if case .page(let page)? = mark(at: share) { return page }
        return nil
    }

    /// What that much of the edition's story means now, in billionths of it.
    public func placed(part: Int64) -> Placed? {
        guard let edition else { return nil }
        let (start, end) = (edition.storyStart.thousandths, edition.storyEnd.thousandths)
        let amount = start + (end - start).times(part, over: 1_000_000 * Measure.fine, roundsUp: true)
        return placed(Amount(thousandths: amount), .progress(.none), in: edition)
    }

    // MARK: By what it was said

    private func placed(_ amount: Amount, _ position: PositionDraft, in edition: Edition) -> Placed {
        let (start, end) = (edition.storyStart.thousandths, edition.storyEnd.thousandths)
        let read = min(max(amount.thousandths, start), end) - start
        return placed(
            share: measure?.share(at: amount) ?? .none, position,
            part: read.times(1_000_000 * Measure.fine, over: end - start),
            depth: (believed?.latest.depth(at: amount) ?? 0, believed?.earliest.depth(at: amount) ?? 0))
    }

    private func placed(
        _ amount: Amount, _ unit: Edition.Unit, in edition: Edition?, _ position: PositionDraft, _ refusal: Refusal
    ) throws(LecternError) -> Placed {
        guard let edition else { throw refusal.of(unit, "needs an edition that is counted in \(unit.rawValue)s") }
        guard edition.unit == unit else {
            throw refusal.of(
                unit, "is not what this edition is counted in: it has \(edition.unit.rawValue)s")
        }
        guard amount <= edition.length else {
            let last = edition.length.thousandths / 1000
            throw refusal.of(
                unit,
                "must be at most \(last), the last \(unit.rawValue) of this edition; what is counted otherwise is another one: POST /v1/books/\(edition.book)/editions"
            )
        }
        return placed(amount, position, in: edition)
    }

    private func placed(
        page: Int32, _ position: PositionDraft, _ refusal: Refusal
    ) throws(LecternError) -> Placed {
        guard let pageCount else {
            throw refusal.of(.page, "needs a pageCount, and none is known: say progress instead")
        }
        guard let progress = Progress(page: page, of: pageCount) else {
            throw refusal.of(.page, "must be at most \(pageCount), the last page")
        }
        return placed(share: progress, position, page: page)
    }

    private func placed(
        chapter number: Int32, _ fraction: Progress, _ position: PositionDraft, _ refusal: Refusal
    ) throws(LecternError) -> Placed {
        guard !begins.isEmpty else {
            throw refusal.of("chapter", "needs the book's chapters, and nobody said them: PUT /v1/books/ID/chapters")
        }
        guard begins.indices.contains(Int(number) - 1) else {
            throw refusal.of("chapter", "must be at most \(begins.count), the last chapter")
        }
        let (start, end) = (begins[Int(number) - 1], self.end(ofChapter: Int(number) - 1))
        let part = Int64(end.millionths - start.millionths) * Int64(fraction.millionths) / 1_000_000
        let share = Progress(clamping: Int64(start.millionths) + part)
        return Placed(
            share: share, page: page(at: share), at: position.said, frame: .chapters,
            depth: (Int64(share.millionths) * Measure.fine, Int64(share.millionths) * Measure.fine),
            floor: fraction == .whole ? end : start, ceiling: end)
    }

    /// A share of the story, or of an edition of which no more is known: then that is so much of the edition.
    private func placed(share: Progress, _ position: PositionDraft, page: Int32? = nil) -> Placed {
        let fine = Int64(share.millionths) * Measure.fine
        guard let edition, !isAnchored, let believed else {
            return placed(
                share: share, position, page: page, part: nil, depth: edition == nil ? nil : (fine, fine))
        }
        let (start, end) = (edition.storyStart.thousandths, edition.storyEnd.thousandths)
        func amount(roundsUp: Bool) -> Amount {
            Amount(
                thousandths: start + (end - start).times(fine, over: 1_000_000 * Measure.fine, roundsUp: roundsUp))
        }
        return placed(
            share: share, position, part: fine,
            depth: (
                min(fine, believed.latest.depth(at: amount(roundsUp: true))),
                max(fine, believed.earliest.depth(at: amount(roundsUp: false)))
            ))
    }

    /// `depth`: how much of the story that is, at least and at most, in billionths; nil where no edition was said.
    private func placed(
        share: Progress, _ position: PositionDraft, page: Int32? = nil, part: Int64?,
        depth: (least: Int64, most: Int64)?
    ) -> Placed {
        var shown = page ?? self.page(at: share)
        if edition?.unit == .page, case .page(let said) = position.mark { shown = said }
        let place = position.said.map { SaidPlace($0.mark, edition: edition?.id, locator: $0.locator) }
        let at = place ?? edition.map { SaidPlace(position.mark, edition: $0.id) }
        // Who names no edition is where their share is, or by another edition that would be: no guess opens anything early.
        let guess = borrowed?.share(atPart: share) ?? share
        let least = depth.map { Progress(clamping: $0.least / Measure.fine) } ?? guess
        let most = depth.map { Progress(clamping: $0.most / Measure.fine) } ?? guess
        let frame: Frame = edition == nil ? .unsaid : part == nil ? .chapters : .edition
        guard !begins.isEmpty else {
            return Placed(
                share: share, page: shown, at: at, frame: frame, part: part, floor: depth == nil ? share : least,
                ceiling: nil, highest: depth == nil ? share : most, isBegun: depth.map { $0.most > 0 })
        }
        let floor = begins.last { $0 <= least } ?? .none
        let chapter = begins.lastIndex { $0 <= most }
        return Placed(
            share: share, page: shown, at: at, frame: frame, part: part, depth: isAnchored ? depth : nil,
            floor: (depth == nil ? share : least) == .whole ? .whole : min(floor, share),
            ceiling: max(chapter.map(end(ofChapter:)) ?? begins[0], share), highest: most,
            isBegun: depth.map { $0.most > 0 })
    }

    private func end(ofChapter index: Int) -> Progress { index + 1 < begins.count ? begins[index + 1] : .whole }

    /// Where in a body something is wrong.
    private struct Refusal {
        let isShort: Bool

        func of(_ unit: Edition.Unit, _ detail: String) -> LecternError {
            of(unit == .second ? "seconds" : unit.rawValue, detail)
        }

        func of(_ member: String, _ detail: String) -> LecternError {
            .invalid([Violation(pointer: isShort ? "/\(member)" : "/at/\(member)", detail: detail)])
        }
    }
}
