import JSON
import Model
import SharedByTests
import Testing

/// What places in a book mean, as tables, and said a second time with fractions.
@Suite("Where in the story")
struct ScaleTests {
    static func edition(_ json: String) throws -> Edition {
        let blank = Edition(id: ResourceID(madeAt: .now), book: (.zero, 1), adderKey: nil, createdAt: .now)
        return try EditionPatch(JSONDocument(Array(json.utf8)).root, form: .whole).applied(to: blank)
    }

    static func said(_ json: String) throws -> PositionDraft {
        let draft = try EntryDraft(JSONDocument(Array(json.utf8)).root, now: .now)
        return draft.position
    }

    static func shares(_ millionths: Int64...) -> [Progress] { millionths.map { Progress(clamping: $0) } }

    static let paper = #"{"format":"paper","length":400,"storyStart":10,"storyEnd":390}"#
    static let ebook = #"{"format":"ebook","storyStart":2,"storyEnd":82}"#
    static let audio = #"{"format":"audio","length":36000,"storyEnd":35000.5}"#
    static let kindle = #"{"format":"ebook","unit":"location","length":5000}"#

    struct Row: CustomTestStringConvertible, Sendable {
        let edition: String?
        var anchors: [Int64] = []
        var chapters: [Int64] = []
        let said: String
        /// In millionths: where that is, rounded down, and rounded up.
        let share: Int64
        var floor: Int64?
        var ceiling: Int64?
        var frame = Frame.edition
        var page: Int32?
        var testDescription: String { "\(edition ?? "none") \(anchors) \(said)" }
    }

    static let rows: [Row] = [
        // Front matter is 0, what follows the story 1.
        Row(edition: paper, said: #"{"page":0}"#, share: 0, page: 0),
        Row(edition: paper, said: #"{"page":10}"#, share: 0, page: 10),
        Row(edition: paper, said: #"{"page":200}"#, share: 500_000, page: 200),
        Row(edition: paper, said: #"{"page":389}"#, share: 997_368, page: 389),
        Row(edition: paper, said: #"{"page":390}"#, share: 1_000_000, page: 390),
        Row(edition: paper, said: #"{"page":398}"#, share: 1_000_000, page: 398),
        Row(edition: paper, said: #"{"progress":0.5}"#, share: 500_000, page: 200),
        Row(edition: paper, said: #"{"at":{"page":200}}"#, share: 500_000, page: 200),
        // What a device's percents show is of the file.
        Row(edition: ebook, said: #"{"progress":0.82}"#, share: 1_000_000),
        Row(edition: ebook, said: #"{"progress":0.42}"#, share: 500_000),
        Row(edition: ebook, said: #"{"progress":0.02}"#, share: 0),
        Row(edition: ebook, said: #"{"at":{"progress":0.4199}}"#, share: 499_875),
        Row(edition: audio, said: #"{"at":{"seconds":17500.25}}"#, share: 500_000),
        Row(edition: audio, said: #"{"at":{"seconds":35000.499}}"#, share: 999_999),
        Row(edition: kindle, said: #"{"at":{"location":2500}}"#, share: 500_000),
        // Without an edition as ever.
        Row(edition: nil, said: #"{"page":43}"#, share: 430_000, frame: .unsaid, page: 43),
        Row(edition: nil, said: #"{"progress":0.435}"#, share: 435_000, frame: .unsaid, page: 43),
        Row(
            edition: nil, chapters: [0, 250_000, 600_000], said: #"{"progress":0.435}"#, share: 435_000, floor: 250_000,
            ceiling: 600_000, frame: .unsaid, page: 43),
        // Between anchors, and at them.
        Row(
            edition: paper, anchors: [10, 86, 200], chapters: [0, 250_000, 600_000], said: #"{"page":85}"#,
            share: 246_710, floor: 0, ceiling: 250_000, frame: .edition, page: 85),
        Row(
            edition: paper, anchors: [10, 86, 200], chapters: [0, 250_000, 600_000], said: #"{"page":86}"#,
            share: 250_000, floor: 250_000, ceiling: 600_000, frame: .edition, page: 86),
        Row(
            edition: paper, anchors: [10, 86, 200], chapters: [0, 250_000, 600_000], said: #"{"page":143}"#,
            share: 425_000, floor: 250_000, ceiling: 600_000, frame: .edition, page: 143),
        Row(
            edition: paper, anchors: [10, 86, 200], chapters: [0, 250_000, 600_000], said: #"{"page":390}"#,
            share: 1_000_000, floor: 1_000_000, ceiling: 1_000_000, frame: .edition, page: 390),
        // A prologue before the first chapter.
        Row(
            edition: paper, anchors: [29, 86, 200], chapters: [50_000, 250_000, 600_000], said: #"{"page":20}"#,
            share: 26_315, floor: 0, ceiling: 50_000, frame: .edition, page: 20),
        // A chapter and a fraction, in any edition or none: its end is the next one's start, and opens there.
        Row(
            edition: nil, chapters: [0, 250_000, 600_000], said: #"{"at":{"chapter":2}}"#, share: 250_000,
            floor: 250_000, ceiling: 600_000, frame: .chapters, page: 25),
        Row(
            edition: nil, chapters: [0, 250_000, 600_000], said: #"{"at":{"chapter":2,"fraction":0.5}}"#,
            share: 425_000, floor: 250_000, ceiling: 600_000, frame: .chapters, page: 42),
        Row(
            edition: nil, chapters: [0, 250_000, 600_000], said: #"{"at":{"chapter":2,"fraction":1}}"#, share: 600_000,
            floor: 600_000, ceiling: 600_000, frame: .chapters, page: 60),
        Row(
            edition: audio, chapters: [0, 250_000, 600_000], said: #"{"at":{"chapter":3,"fraction":1}}"#,
            share: 1_000_000, floor: 1_000_000, ceiling: 1_000_000, frame: .chapters),
    ]

    @Test("A place is where the table says", arguments: rows)
    func table(_ row: Row) throws {
        let edition = try row.edition.map(Self.edition)
        let scale = Scale(
            edition, pageCount: 100, anchors: row.anchors.map { Amount($0) },
            chapters: row.chapters.map { Progress(clamping: $0) })
        let placed = try scale.placed(Self.said(row.said))
        #expect(placed.share.millionths == Int32(row.share))
        #expect(placed.page == row.page)
        #expect(placed.frame == row.frame)
        #expect(placed.floor.millionths == Int32(row.floor ?? row.share))
        #expect(placed.ceiling.map { Int64($0.millionths) } == row.ceiling)
        #expect((placed.at == nil) == (row.edition == nil && !row.said.contains("at")))
    }

    @Test("What an edition does not have is answered with what it has")
    func refusals() throws {
        func refusal(_ edition: String?, _ said: String, chapters: [Progress] = []) throws -> Violation? {
            let scale = Scale(try edition.map(Self.edition), pageCount: nil, anchors: [], chapters: chapters)
            do {
                _ = try scale.placed(Self.said(said))
                return nil
            } catch {
                guard case .invalid(let violations)? = error as? LecternError else { throw error }
                return violations.count == 1 ? violations[0] : nil
            }
        }
        let past = try #require(try refusal(Self.paper, #"{"page":401}"#))
        #expect(past.pointer == "/page" && past.detail.contains("at most 400, the last page of this edition"))
        let roman = try #require(try refusal(Self.paper, #"{"at":{"page":"xii"}}"#))
        #expect(roman.pointer == "/at/page" && roman.detail.contains("say page 0, or progress 0"))
        let short = try #require(try refusal(nil, #"{"page":"XII"}"#))
        #expect(short.pointer == "/page" && short.detail.contains("Roman"))
        let other = try #require(try refusal(Self.audio, #"{"page":4}"#))
        #expect(other.pointer == "/page" && other.detail.contains("it has seconds"))
        #expect(try refusal(nil, #"{"at":{"seconds":4}}"#)?.pointer == "/at/seconds")
        #expect(try refusal(nil, #"{"at":{"chapter":4}}"#)?.pointer == "/at/chapter")
        let last = try #require(try refusal(nil, #"{"at":{"chapter":4}}"#, chapters: Self.shares(0, 500_000)))
        #expect(last.detail.contains("at most 2, the last chapter"))
        #expect(try refusal(nil, #"{"at":{}}"#)?.pointer == "/at/progress")
        #expect(try refusal(nil, #"{"at":{"page":4,"location":4}}"#)?.pointer == "/at/location")
        #expect(try refusal(nil, #"{"at":{"fraction":0.5,"progress":0.1}}"#)?.pointer == "/at/fraction")
        #expect(try refusal(nil, #"{"at":{"progress":0.1},"page":4}"#)?.pointer == "/at")
        #expect(try refusal(nil, #"{"at":{"progress":0.1,"pages":4}}"#)?.pointer == "/at/pages")
    }

    /// An edition with anchors, and the same said with fractions.
    private struct Random {
        let edition: Edition
        let anchors: [Amount]
        let chapters: [Progress]
        var scale: Scale { Scale(edition, pageCount: nil, anchors: anchors, chapters: chapters) }

        init(_ random: inout SeededGenerator, isAnchored: Bool = true) throws {
            let length = Int64.random(in: 50...1000, using: &random)
            let start = Int64.random(in: 0..<length / 4, using: &random)
            let end = Int64.random(in: length / 2...length, using: &random)
            edition = try ScaleTests.edition(
                "{\"format\":\"paper\",\"length\":\(length),\"storyStart\":\(start),\"storyEnd\":\(end)}")
            let count = Int.random(in: 1...12, using: &random)
            let places = (start..<end).shuffled(using: &random).prefix(count).sorted()
            let shares = Set((0..<count).map { _ in Int64.random(in: 1..<1_000_000, using: &random) }).sorted()
            anchors = isAnchored ? places.prefix(shares.count).map { Amount($0) } : []
            chapters = shares.map { Progress(clamping: $0) }
        }

        /// Where a page lies, by the two points around it.
        func share(ofPage page: Int64) -> Double {
            var points = [(Double(edition.storyStart.thousandths) / 1000, 0.0)]
            points += zip(anchors, chapters).map { (Double($0.thousandths) / 1000, Double($1.millionths)) }
            points.append((Double(edition.storyEnd.thousandths) / 1000, 1_000_000))
            guard let next = points.firstIndex(where: { Double(page) < $0.0 }) else { return 1_000_000 }
            guard next > 0 else { return 0 }
            let (from, to) = (points[next - 1], points[next])
            return from.1 + (Double(page) - from.0) / (to.0 - from.0) * (to.1 - from.1)
        }
    }

    @Test(
        "Pages of any edition rise, are where fractions say, and are found again",
        arguments: TestBudget.seeds(4, long: 20))
    func pages(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let some = try Random(&random)
            var last = Progress.none
            for page in 0...some.edition.length.thousandths / 1000 {
                let placed = try some.scale.placed(.page(Int32(page)))
                #expect(placed.share >= last)
                #expect(abs(Double(placed.share.millionths) - some.share(ofPage: page)) <= 1.001)
                // Nobody is in a chapter before it begins, and everybody is once it has.
                for (anchor, share) in zip(some.anchors, some.chapters) {
                    #expect((placed.share >= share) == (page * 1000 >= anchor.thousandths))
                    #expect((placed.floor >= share) == (page * 1000 >= anchor.thousandths))
                }
                #expect(placed.floor <= placed.share && placed.share <= placed.ceiling ?? .whole)
                if placed.share > last {
                    let found = some.scale.page(at: placed.share) ?? -1
                    #expect(found == page, "\(placed.share)")
                }
                last = placed.share
            }
        }
    }

    @Test(
        "Between editions whose chapters are not both known no guess opens anything early",
        arguments: TestBudget.seeds(4, long: 20))
    func guesses(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let (known, other) = (try Random(&random), try Random(&random, isAnchored: false))
            let guessing = Scale(
                other.edition, pageCount: nil, anchors: [], chapters: known.chapters,
                borrowed: (known.edition, known.anchors))
            for _ in 0..<50 {
                let last = Int32(other.edition.length.thousandths / 1000)
                let placed = try guessing.placed(.page(Int32.random(in: 0...last, using: &random)))
                #expect(placed.frame == .edition)
                #expect(placed.floor <= placed.share && placed.share <= placed.ceiling ?? .none)
                #expect(placed.opensAt(slack: .none) >= placed.share)
            }
        }
    }

    @Test(
        "What is read counts for the least share that was ever held true, and a note for the greatest",
        arguments: TestBudget.seeds(4, long: 20))
    func believed(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let some = try Random(&random)
        let all = some.edition.storyStart.thousandths / 1000..<some.edition.storyEnd.thousandths / 1000
        var scales: [Scale] = []
        for _ in 0..<6 {
            let places = all.shuffled(using: &random).prefix(some.chapters.count).sorted()
            let before = scales.last?.believed
            let anchors = Bool.random(using: &random) ? places.map { Amount($0) } : []
            scales.append(
                Scale(some.edition, pageCount: nil, anchors: anchors, chapters: some.chapters, believed: before))
            let same = Scale(
                some.edition, pageCount: nil, anchors: anchors, chapters: some.chapters,
                believed: scales.last?.believed)
            #expect(!same.isNews && same.believed == scales.last?.believed)
            let stored = try #require(scales.last?.believed)
            #expect(Believed(cell: stored.cell) == stored)
        }
        let last = try #require(scales.last)
        for page in all {
            let placed = try last.placed(.page(Int32(page)))
            let shares = try scales.map { Int64(try $0.placed(.page(Int32(page))).share.millionths) * 1000 }
            let ceiling = try #require(placed.ceiling)
            #expect(shares.allSatisfy { Int64(placed.floor.millionths) * 1000 <= $0 + 999 })
            #expect(shares.allSatisfy { $0 <= Int64(ceiling.millionths) * 1000 })
            guard let least = placed.least, let most = placed.most else { continue }
            #expect(shares.allSatisfy { least <= $0 + 999 && $0 <= most })
        }
        let first = try #require(scales.first)
        let page = try first.placed(.page(Int32(all.lowerBound + 7)))
        if let least = page.least { #expect(least == page.most && least / 1000 == Int64(page.share.millionths)) }
    }

    @Test("Chapters part what nobody says, keep what they were, and rise")
    func chapters() throws {
        func shares(_ json: String, over old: [Chapter] = []) throws -> [Int32] {
            let draft = try ChaptersDraft(JSONDocument(Array("{\"chapters\":\(json)}".utf8)).root)
            return try draft.chapters(over: old).map(\.share.millionths)
        }
        #expect(try shares("[{},{},{},{}]") == [0, 250_000, 500_000, 750_000])
        #expect(try shares(#"[{"share":0.1},{},{"share":0.5},{}]"#) == [100_000, 300_000, 500_000, 750_000])
        let old = [
            Chapter(label: nil, title: nil, share: .none), Chapter(label: "2", title: nil, share: Progress(0.3)!),
        ]
        #expect(try shares("[{},{}]", over: old) == [0, 300_000])
        #expect(throws: LecternError.self) { try shares(#"[{"share":0.5},{"share":0.5}]"#) }
        #expect(throws: LecternError.self) { try shares(#"[{},{"share":0}]"#) }
        #expect(throws: LecternError.self) { try shares(#"[{"share":1}]"#) }
        #expect(throws: LecternError.self) { try shares("[]") }
        #expect(throws: LecternError.self) { try shares(#"[{"share":0.999998},{},{},{}]"#) }
    }

    @Test("What was left out before a change is told as absent, and is so again when the log is read backwards")
    func sparse() throws {
        let old = Reading(
            id: ResourceID(madeAt: .now), reader: (.zero, 1), book: (.zero, 1), number: 1, createdAt: .now)
        var new = old
        new.edition = ResourceID(madeAt: .now)
        new.pageCount = 7
        #expect(!String(decoding: old.encoded(), as: UTF8.self).contains("edition"))
        let difference = try #require(new.difference(from: old))
        #expect(difference.changed == Reading.fields["pageCount", "edition"] && difference.value == new.encoded())
        #expect(Representation.overlay(value: difference.value, before: difference.before) == old.encoded())
        let before = try #require(Representation(difference.value, before: difference.before))
        #expect(before["edition"] == nil && before["pageCount"]?.isNull == true)
        #expect(try #require(Reading(before)).encoded() == old.encoded())
        let replaced = try #require(Representation(difference.before))
        #expect(replaced.replaces("edition") && !replaced.replaces("state"))
        let back = try #require(old.difference(from: new))
        #expect(back.changed == difference.changed && back.value == old.encoded())
        let again = try #require(Representation.overlay(value: back.value, before: back.before))
        #expect(try #require(Representation(again).flatMap { Reading($0) }).edition == new.edition)
    }
}
