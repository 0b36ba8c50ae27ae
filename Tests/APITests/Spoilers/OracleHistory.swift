import Foundation
import JSON
import SharedByTests
import Store

/// A random history of a whole server, with clubs, moderators, readers in many editions, an administrator and a pupil.
/// Each request is also applied to the rules, and everything shown and streamed is compared with them. Each step is
/// determined by its number alone, so a history can omit some.
final class OracleHistory {
    static let readers = 12
    static let clubs = 3
    /// The first moderators besides the owners, who are the first readers, and the first reader's pupil.
    private static let moderators = [3, 4]
    static let pupil = 5
    static let notesMax = 70

    struct Reading {
        let id: String
        let reader: Int
        let book: Int
        var edition: Int?
        var entries: [(id: String, note: Int?)] = []
        var isFinished = false
    }

    struct ClubRun {
        let id: String
        let club: Int
        let book: Int
        var isCurrent = false
    }

    let seed: UInt64
    var step = 0
    var random: SeededGenerator
    let pipeline: TestPipeline
    var rules = OracleRules(clubs: clubs, readers: readers)
    var books: [OracleBook] = []
    var readings: [Reading] = []
    var runs: [ClubRun] = []
    var meetings: [ClubRun] = []
    let tokens: [String]
    var ids: [String] = []
    var clubIDs: [String] = []
    var codes: [String] = []
    let streams: OracleStreams
    /// The notes that each reader saw at the last check.
    var shown = Array(repeating: Set<Int>(), count: readers)
    var log = OracleLog()
    /// The number of notes seen, and withheld.
    var seen = 0
    var withheld = 0
    var resumed = 0

    init(seed: UInt64, backups: BackupSettings = BackupSettings()) throws {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        pipeline = try TestPipeline(backups: backups)
        streams = OracleStreams(pipeline)
        tokens = (0..<Self.readers).map {
            $0 == Self.readers - 1 ? "admin" : "reader-\(Character(UnicodeScalar(97 + $0)!))"
        }
        for (reader, name) in tokens.enumerated() {
            if name != "admin" { try pipeline.enter(name, guardian: reader == Self.pupil ? ids[0] : nil) }
            ids.append(try pipeline.send("GET", "/v1/me", as: name)["id"]?.string ?? "")
            log.call(ids[reader], "R\(reader)")
        }
        for book in 0..<3 { try makeBook(book) }
        for club in 0..<Self.clubs { try makeClub(club) }
        for reader in 0..<Self.readers {
            try streams.watch("/v1/changes", by: reader, as: tokens[reader], holding: self)
        }
    }

    private func makeBook(_ number: Int) throws {
        var book = OracleBook(
            id: try pipeline.make(
                "/v1/books", "{\"title\":\"Book \(number)\",\"pageCount\":\(OracleBook.pageCount)}", as: "admin"))
        log.call(book.id, "B\(number)")
        for form in number == 2 ? OracleBook.forms.prefix(2) : OracleBook.forms[...] {
            let body =
                "{\"format\":\"\(form.0)\",\"length\":\(form.2),\"storyStart\":\(form.3),\"storyEnd\":\(form.4)}"
            let id = try pipeline.make("/v1/books/\(book.id)/editions", body, as: "admin")
            log.call(id, "B\(number).E\(book.editions.count)")
            book.editions.append(
                .init(id: id, format: form.0, member: form.1, length: form.2, start: form.3, end: form.4))
        }
        books.append(book)
    }

    private func makeClub(_ club: Int) throws {
        let slack = [50_000, 0, 200_000][club]
        let body = "{\"name\":\"Club \(club)\",\"slack\":\(Double(slack) / 1_000_000)}"
        clubIDs.append(try pipeline.make("/v1/clubs", body, as: tokens[club]))
        rules.clubs[club].slack = slack
        log.call(clubIDs[club], "C\(club)")
        rules.clubs[club].roles[club] = .owner
        codes.append("")
        try invite(to: club)
        try streams.watch("/v1/clubs/\(clubIDs[club])/notes", by: club, as: tokens[club], holding: self)
        for reader in 0..<Self.readers where reader != club && (reader + club) % 3 != 1 {
            try join(reader, club)
            if Self.moderators.contains(reader) { try give(.moderator, to: reader, in: club) }
        }
    }

    // MARK: Steps

    /// Performs the step with a number and checks the result.
    func take(_ number: Int) throws {
        step = number
        random = SeededGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(number))
        try act(Int.random(in: 0..<Self.readers, using: &random))
        try streams.receive(for: self)
        try look(
            at: Int.random(in: 0..<Self.readers, using: &random), in: Int.random(in: 0..<Self.clubs, using: &random))
        if number % 10 == 9 { try lookFurther() }
        if number % 100 == 99 { rules.forget(before: number - 300) }
    }

    private func act(_ reader: Int) throws {
        if rules.living.count > Self.notesMax { return try deleteNote(rules.living[0]) }
        switch pick(0..<210) {
        case ..<50: try enter(reader)
        case ..<58: try undo(reader)
        case ..<62: try finishOrReopen(reader)
        case ..<65: try endReading(reader)
        case ..<71: try switchEdition(reader)
        case ..<77: try know(reader)
        case ..<80: try forget(reader)
        case ..<108: try write(reader)
        case ..<124: try reply(reader)
        case ..<132: try raise(reader)
        case ..<136: try edit(reader)
        case ..<140: try widen(reader)
        case ..<142: try deleteSome(reader)
        case ..<146: try react(reader)
        case ..<154: try comeOrGo(reader)
        case ..<158: try changeRole(reader)
        case ..<161: try changeClub()
        case ..<168: try block(reader)
        case ..<170: try rename(reader)
        case ..<174: try run(reader)
        case ..<176: try putChapters()
        case ..<189: try putAnchors()
        case ..<190: try deleteAnchors()
        case ..<191: try measure()
        case ..<195: try streams.watchMore(by: reader, holding: self)
        default: try streams.resume(by: reader, holding: self)
        }
    }

    // MARK: Choosing and asking

    func pick(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
    func pick<Element>(_ all: [Element]) -> Element? { all.randomElement(using: &random) }

    /// Returns a random book, most often the first.
    func pickBook() -> Int { max(0, pick(0..<6) - 3) }

    func clubs(of reader: Int) -> [Int] { rules.clubs.indices.filter { rules.clubs[$0].roles[reader] != nil } }

    /// Sends a request, and logs it for the report of a finding.
    @discardableResult
    func send(
        _ method: String, _ path: String, _ body: String? = nil, by reader: Int, note: Int? = nil, book: Int? = nil,
        fields: [String] = []
    ) throws -> Answer {
        let answer = try pipeline.send(method, path, body, as: tokens[reader], fields: fields)
        log.note(
            .init(
                step: step, reader: reader, note: note, book: book,
                text: "R\(reader) \(method) \(path) \(body ?? "") → \(answer.status)"))
        if answer.status >= 500 { throw finding("\(method) \(path): \(answer.text)", reader, note) }
        return answer
    }

    func finding(_ what: String, _ reader: Int, _ note: Int? = nil) -> OracleFinding {
        OracleFinding(
            step: step, what: log.named(what), reader: reader, note: note, story: log.story(of: reader, note, in: rules)
        )
    }
}

/// A deviation from the rules.
struct OracleFinding: Error {
    let step: Int
    let what: String
    let reader: Int
    let note: Int?
    /// The last steps that concern the reader and the note.
    let story: [String]

    /// The kind of the finding, whomever it concerns.
    var kind: String { String(what.prefix { $0 != ":" }) }
}
