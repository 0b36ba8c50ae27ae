import JSON
import Model
import Testing

/// Tests of positions: their amounts, their plain shares, and the conversion back.
@Suite("Positions in a book")
struct PositionResolverTests {
    static func edition(_ json: String) throws -> Edition {
        let blank = Edition(id: ResourceID(high: 7, low: 9), book: (.zero, 1), adderKey: nil, createdAt: .now)
        return try EditionPatch(JSONDocument(Array(json.utf8)).root, form: .whole).applied(to: blank)
    }

    static func draft(_ json: String) throws -> PositionDraft {
        try EntryDraft(JSONDocument(Array(json.utf8)).root, now: .now).position
    }

    static let paper = #"{"format":"paper","length":400,"storyStart":10,"storyEnd":390}"#
    static let ebook = #"{"format":"ebook","storyStart":2,"storyEnd":82}"#
    static let audio = #"{"format":"audio","length":36000,"storyEnd":35000.5}"#
    static let kindle = #"{"format":"ebook","unit":"location","length":5000}"#

    /// Returns a resolver for an edition or pages, and for chapters at shares in millionths.
    static func resolver(
        _ edition: String?, pages: Int32? = 100, chapters: [Int64] = [], anchors: [Int64] = []
    ) throws -> PositionResolver {
        var found: Chapters?
        if !chapters.isEmpty {
            var all = Chapters(CommonResourceFields(.zero, madeAt: .now))
            all.chapters = chapters.map { Chapter(label: nil, title: nil, share: Progress(clamping: $0)) }
            all.revision = 3
            found = all
        }
        return PositionResolver(
            try edition.map(Self.edition), pageCount: pages, chapters: found, anchors: anchors.map { EditionAmount($0) }
        )
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let edition: String?
        var chapters: [Int64] = []
        var anchors: [Int64] = []
        let given: String
        /// The plain share, in millionths.
        let share: Int64
        /// The amount in millionths of the unit of the position's own scale, and below in chapters if these are also
        /// known.
        let amount: Int64
        var byChapters: Int64?
        var page: Int32?
        var testDescription: String { "\(edition ?? "none") \(anchors) \(given)" }
    }

    static let thirds: [Int64] = [0, 250_000, 600_000]
    static let rows: [Row] = [
        // Front matter is 0, and everything after the story is 1.
        Row(edition: paper, given: #"{"page":0}"#, share: 0, amount: 0, page: 0),
        Row(edition: paper, given: #"{"page":10}"#, share: 0, amount: 10_000_000, page: 10),
        Row(edition: paper, given: #"{"page":200}"#, share: 500_000, amount: 200_000_000, page: 200),
        Row(edition: paper, given: #"{"page":389}"#, share: 997_368, amount: 389_000_000, page: 389),
        Row(edition: paper, given: #"{"page":398}"#, share: 1_000_000, amount: 398_000_000, page: 398),
        // A share of the story, in an edition that shows none.
        Row(edition: paper, given: #"{"progress":0.5}"#, share: 500_000, amount: 200_000_000, page: 200),
        Row(edition: paper, given: #"{"progress":0.500001}"#, share: 500_001, amount: 200_000_380, page: 201),
        // A device's percentage is of the whole file.
        Row(edition: ebook, given: #"{"progress":0.82}"#, share: 1_000_000, amount: 82_000_000),
        Row(edition: ebook, given: #"{"position":{"progress":0.4199}}"#, share: 499_875, amount: 41_990_000),
        Row(edition: audio, given: #"{"position":{"seconds":17500.25}}"#, share: 500_000, amount: 17_500_250_000),
        Row(edition: kindle, given: #"{"position":{"location":2500}}"#, share: 500_000, amount: 2_500_000_000),
        // Without an edition.
        Row(edition: nil, given: #"{"page":43}"#, share: 430_000, amount: 43_000_000, page: 43),
        Row(edition: nil, given: #"{"progress":0.435}"#, share: 435_000, amount: 435_000, page: 43),
        // By chapters: positions before the first chapter are in chapter 0; the plain share ignores anchors.
        Row(
            edition: paper, chapters: thirds, anchors: [20, 86, 200], given: #"{"page":15}"#, share: 13_157,
            amount: 15_000_000, byChapters: 500_000, page: 15),
        Row(
            edition: paper, chapters: thirds, anchors: [20, 86, 200], given: #"{"page":86}"#, share: 200_000,
            amount: 86_000_000, byChapters: 2_000_000, page: 86),
        Row(
            edition: paper, chapters: thirds, anchors: [20, 86, 200], given: #"{"page":143}"#, share: 350_000,
            amount: 143_000_000, byChapters: 2_500_000, page: 143),
        Row(
            edition: paper, chapters: thirds, anchors: [20, 86, 200], given: #"{"page":395}"#, share: 1_000_000,
            amount: 395_000_000, byChapters: 4_000_000, page: 395),
        // Anchors are ignored unless there is one for each chapter.
        Row(
            edition: paper, chapters: thirds, anchors: [20], given: #"{"page":86}"#, share: 200_000, amount: 86_000_000,
            page: 86),
        // A chapter is in the chapters' scale alone, and its page is exact if there are anchors.
        Row(
            edition: nil, chapters: thirds, given: #"{"position":{"chapter":2,"within":0.5}}"#, share: 425_000,
            amount: 2_500_000, page: 42),
        Row(
            edition: paper, chapters: thirds, anchors: [20, 86, 200],
            given: #"{"position":{"chapter":2,"within":0.5}}"#,
            share: 425_000, amount: 2_500_000, page: 143),
        Row(
            edition: nil, chapters: thirds, given: #"{"position":{"chapter":3}}"#, share: 600_000, amount: 3_000_000,
            page: 60),
        Row(
            edition: nil, chapters: thirds, given: #"{"position":{"chapter":3,"within":1}}"#, share: 1_000_000,
            amount: 4_000_000, page: 100),
    ]

    @Test(
        "A position has an amount of its scale, one by chapters where known, and a plain share",
        arguments: rows)
    func table(_ row: Row) throws {
        let resolver = try Self.resolver(row.edition, chapters: row.chapters, anchors: row.anchors)
        let resolved = try resolver.resolve(Self.draft(row.given))
        #expect(Int64(resolved.share.millionths) == row.share)
        #expect(resolved.own.amount == row.amount)
        #expect(resolved.chapters?.amount == row.byChapters)
        #expect(resolved.page == row.page)
    }

    @Test("Pages of different counts, plain progress, editions and chapters at a revision are different scales")
    func scales() throws {
        let id = try Self.edition(Self.paper).id
        func own(_ resolver: PositionResolver, _ given: String) throws -> ComparisonScale {
            try resolver.resolve(Self.draft(given)).own.scale
        }
        #expect(try own(Self.resolver(nil, pages: 500), #"{"page":413}"#) == .pages(500))
        #expect(try own(Self.resolver(nil, pages: 417), #"{"page":413}"#) == .pages(417))
        #expect(try own(Self.resolver(nil, pages: 500), #"{"progress":0.82}"#) == .progress)
        #expect(try own(Self.resolver(Self.paper), #"{"page":9}"#) == .edition(id, revision: 1))
        let anchored = try Self.resolver(Self.paper, chapters: Self.thirds, anchors: [20, 86, 200])
        let resolved = try anchored.resolve(Self.draft(#"{"page":9}"#))
        #expect(resolved.chapters?.scale == .chapters(revision: 3) && resolved.own.scale == .edition(id, revision: 1))
        #expect(try own(anchored, #"{"position":{"chapter":1}}"#) == .chapters(revision: 3))
    }

    @Test("A scale is identified by its name", arguments: ["chapters 2", "pages 417", "progress"])
    func names(_ name: String) {
        #expect(ComparisonScale(name)?.description == name)
        for wrong in [
            "", "chapters", "chapters 0", "chapters 02", "pages -1", "progress 1", "edition x 1", "pages 1 2",
        ] {
            #expect(ComparisonScale(wrong) == nil, "\(wrong)")
        }
        let edition = ComparisonScale.edition(ResourceID(high: 7, low: 9), revision: 4)
        #expect(ComparisonScale(edition.description) == edition)
    }

    @Test(
        "A position that does not exist is refused with its pointer",
        arguments: [
            (nil, #"{"page":101}"#, "/page"), (nil, #"{"position":{"page":101}}"#, "/position/page"),
            (nil, #"{"position":{"seconds":1}}"#, "/position/seconds"),
            (nil, #"{"position":{"chapter":1}}"#, "/position/chapter"), (paper, #"{"page":401}"#, "/page"),
            (ebook, #"{"page":4}"#, "/page"), (audio, #"{"position":{"location":4}}"#, "/position/location"),
        ] as [(String?, String, String)])
    func refused(_ edition: String?, _ given: String, _ pointer: String) throws {
        let resolver = try Self.resolver(edition)
        do {
            _ = try resolver.resolve(Self.draft(given))
            Issue.record("taken")
        } catch RequestError.invalid(let violations) {
            #expect(violations.map(\.pointer) == [pointer])
        }
    }

    @Test(
        "A share is reached at the first position that has it",
        arguments: [
            (paper, 0.5, "page 200"), (paper, 0.500001, "page 201"), (paper, 1, "page 390"), (paper, 0, "page 10"),
            (ebook, 0.5, "progress 0.42"), (audio, 0.5, "seconds 17500.25"), (kindle, 0.50001, "location 2501"),
            (nil, 0.87, "page 87"), (nil, 0.8700001, "page 87"), (nil, 0.870001, "page 88"),
        ] as [(String?, Double, String)])
    func positions(_ edition: String?, _ share: Double, _ expected: String) throws {
        let position = try Self.resolver(edition).position(at: #require(Progress(share)))
        let root = try JSONDocument(position.encodedJSON).root
        let first = try #require(root.members.map { $0 }.first)
        #expect("\(first.name) \(String(decoding: first.value.encoded, as: UTF8.self))" == expected)
    }

    @Test("An amount of chapters is a page where the edition has anchors of that revision")
    func amounts() throws {
        let anchored = try Self.resolver(Self.paper, chapters: Self.thirds, anchors: [20, 86, 200])
        #expect(anchored.value(at: ScaleAmount(.chapters(revision: 3), 2_500_000)) == .page(143))
        #expect(anchored.value(at: ScaleAmount(.chapters(revision: 3), 2_500_001)) == .page(144))
        #expect(anchored.value(at: ScaleAmount(.chapters(revision: 2), 2_500_000)) == nil)
        #expect(anchored.value(at: ScaleAmount(.pages(400), 9_000_000)) == nil)
        #expect(try Self.resolver(nil).value(at: ScaleAmount(.pages(100), 9_000_000)) == .page(9))
        #expect(
            try Self.resolver(nil, pages: nil).value(at: ScaleAmount(.progress, 430_000))
                == .progress(Progress(clamping: 430_000)))
    }
}

extension Position {
    fileprivate var encodedJSON: [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }
}
