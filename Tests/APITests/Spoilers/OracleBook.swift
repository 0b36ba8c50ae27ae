/// A book with its current editions and chapters, modelled without the program.
struct OracleBook {
    struct Edition {
        let id: String
        let format: String
        /// The JSON member in which a position in the edition is given.
        let member: String
        let length: Int
        let start: Int
        var end: Int
        var revision = 1
        var anchors: [Int] = []
    }

    /// A position as a reader records it. Parts are in hundredths, amounts in the edition's unit.
    enum Said {
        case progress(Int)
        case page(Int)
        case chapter(Int, Int)
        case amount(Int, of: Int)
    }

    static let whole = 1_000_000
    static let pageCount = 100
    /// The format, member, length, and the start and end of the story.
    static let forms = [
        ("paper", "page", 400, 10, 390), ("ebook", "progress", 100, 2, 82), ("audio", "seconds", 40_000, 100, 39_900),
        ("paper", "page", 250, 5, 245),
    ]

    let id: String
    var editions: [Edition] = []
    /// The start of each chapter, in millionths of the book.
    var begins: [Int] = []
    /// The revision of the chapters and all anchors.
    var revision = 1

    func place(_ given: Said) -> OraclePosition {
        switch given {
        case .progress(let hundredths):
            return OraclePosition(own: .init(.progress, hundredths * 10_000), share: hundredths * 10_000)
        case .page(let page): return OraclePosition(own: .init(.pages, page), share: page * Self.whole / Self.pageCount)
        case .chapter(let chapter, let hundredths):
            let end = chapter + 1 < begins.count ? begins[chapter + 1] : Self.whole
            let share = begins[chapter] + (end - begins[chapter]) * hundredths / 100
            return OraclePosition(
                own: .init(.chapters(revision), (chapter + 1) * Self.whole + hundredths * 10_000), share: share)
        case .amount(let amount, let index):
            let edition = editions[index]
            let read = min(max(amount, edition.start), edition.end) - edition.start
            return OraclePosition(
                own: .init(.edition(index, edition.revision), amount),
                chapters: edition.anchors.isEmpty ? nil : .init(.chapters(revision), byChapters(amount, in: edition)),
                share: read * Self.whole / (edition.end - edition.start))
        }
    }

    private func byChapters(_ amount: Int, in edition: Edition) -> Int {
        let bounds = [edition.start] + edition.anchors + [edition.end]
        let chapter = edition.anchors.filter { $0 <= amount }.count
        let (begin, end) = (bounds[chapter], bounds[chapter + 1])
        let read = min(max(amount, begin), end) - begin
        return chapter * Self.whole + (end > begin ? read * Self.whole / (end - begin) : 0)
    }
}

/// The scale in which amounts of a book compare.
enum OracleScale: Hashable {
    case progress
    case pages
    case chapters(Int)
    case edition(Int, Int)
}

/// A recorded position, with the scales in which it is known.
struct OraclePosition {
    struct EditionAmount {
        let scale: OracleScale
        let amount: Int

        init(_ scale: OracleScale, _ amount: Int) { (self.scale, self.amount) = (scale, amount) }
    }

    let own: EditionAmount
    var chapters: EditionAmount?
    /// The plain share, in millionths.
    let share: Int

    func threshold(slack: Int) -> OracleThreshold {
        OracleThreshold(exact: chapters ?? own, share: share).adding(slack)
    }
}

/// The threshold of a note, by the table of `lectern help story`.
struct OracleThreshold {
    private(set) var exact: OraclePosition.EditionAmount?
    private(set) var share: Int

    static let everyone = OracleThreshold(exact: nil, share: 0)
    static let finished = OracleThreshold(exact: nil, share: OracleBook.whole)

    init(exact: OraclePosition.EditionAmount?, share: Int) {
        (self.exact, self.share) = (share == 0 ? nil : exact, share)
    }

    func adding(_ slack: Int) -> OracleThreshold {
        OracleThreshold(exact: exact, share: share == 0 ? 0 : min(share + slack, OracleBook.whole))
    }

    func raised(to other: OracleThreshold) -> OracleThreshold {
        if share == 0 { return other }
        if other.share == 0 { return self }
        let more = max(share, other.share)
        guard let exact, let later = other.exact, exact.scale == later.scale else {
            return OracleThreshold(exact: nil, share: more)
        }
        return OracleThreshold(exact: exact.amount > later.amount ? exact : later, share: more)
    }

    func isEarlier(than other: OracleThreshold) -> Bool {
        if let exact, let now = other.exact, exact.scale == now.scale { return exact.amount < now.amount }
        return share < other.share
    }
}
