import Foundation
import JSON
import Model
import ObservableModels
import SharedByTests
import Store
import Synchronization
import Testing

@testable import API

@Suite("A watched search")
struct WatchedSearchTests {
    /// Titles in many scripts, in the forms in which people type them. They are stored unchanged.
    static let titles = [
        "गोदान", "मुंशी प्रेमचंद", "हिन्दी क़िला", "ক্ষুধিত পাষাণ", "பொன்னியின் செல்வன்", "മലയാളം ഖസാക്കിന്റെ", "ಮೂಕಜ್ಜಿಯ ಕನಸುಗಳು",
        "ความสุขของกะทิ", "สี่แผ่นดิน น้ำ", "ພາສາລາວ ນ້ຳ", "ភាសាខ្មែរ", "မြန်မာ စာ", "བོད་སྐད", "한글 소설", "채식주의자", "뷁 ㅎ ᄒ",
        "がらくた ぎんが", "ノルウェイの森", "ﾎﾟﾝﾌﾟ ｶﾞ", "雪国 吾輩は猫である", "红楼梦", "الْكِتَابُ الأَوَّل", "ألف ليلة وليلة ـــ كتــاب",
        "کتاب یک می‌خواهم", "שָׁלוֹם עֲלֵיכֶם", "צ׳כוב ג'רבי", "Οἱ Ἀδελφοὶ Ὀδύσσεια ς", "ΟΔΥΣΣΕΥΣ ᾄδω", "Ёлка й Йод Война",
        "Преступление І Ї",
        "Straße STRASSE ẞ", "İstanbul ılık IĞDIR", "Łódź Ørsted Æsop Œuvre þing đ ħ", "Việt Nam ệ ờ",
        "Z\u{351}\u{309}a\u{30A}\u{323}lgo\u{332}",
        "ﬁn ﬀ ǆ Ǆ ĳ ŉ", "ｆｕｌｌ Ｗｉｄｔｈ １２", "O’Brien O'Neill d\u{2BC}Artagnan", "🎉 party 👩‍👩‍👧 1️⃣ ❤️ done", "٤٢ ４２ ४२ Ⅷ ² ½ ①",
        "ﷺ ㍿ ㎏",
        "Հայոց և ԵՒ", "ქართული ᲥᲐᲠᲗᲣᲚᲘ", "አማርኛ ፲", "ᏣᎳᎩ ꮳꮃꭹ", "𐐔𐐯𐑅 𝔉𝔯𝔞𝔨 𝟙𝟚", "x\u{AD}y a\u{200B}b \u{FEFF}c",
        "q\u{307}\u{323} q\u{323}\u{307} \u{1B4}\u{323}",
    ]

    private final class ReceivedEvents: Sendable {
        private let events = Mutex<[UInt64: [String: Set<String>]]>([:])

        func take(_ owner: UInt64, _ frame: [UInt8]) {
            let lines = String(decoding: frame, as: UTF8.self).split(separator: "\n")
            guard let name = lines.first(where: { $0.hasPrefix("event: ") })?.dropFirst(7),
                let data = lines.first(where: { $0.hasPrefix("data: ") })?.dropFirst(6),
                let id = try? JSONDocument(Array(data.utf8)).root["id"]?.string
            else { return }
            events.withLock { _ = $0[owner, default: [:]][String(name), default: []].insert(id) }
        }

        func removeAll() -> [UInt64: [String: Set<String>]] {
            events.withLock { events in
                defer { events = [:] }
                return events
            }
        }
    }

    private final class ReceivedCommits: Sendable {
        let all = Mutex<[Commit]>([])
    }

    /// A store, and an event loop's models that receive all its commits, with a subscription to each search.
    private final class Scenario {
        let directory = TestDirectory.memory.path("search")
        let store: Store
        let viewer: Viewer
        let reads: ReadConnection
        let models: ObservableModels
        let filters: [BookFilter]
        let received = ReceivedEvents()
        private let commits = ReceivedCommits()

        init(_ filters: [BookFilter]) throws {
            try DatabaseTemplate.newest.copy(into: directory)
            var configuration = StoreConfiguration()
            configuration.isDurable = false
            configuration.readMillisecondsMax = 0
            store = try Store.open(
                directory: directory, configuration: configuration,
                receive: { [commits] commit in commits.all.withLock { $0.append(commit) } })
            try store.ensureAdministrator()
            commits.all.withLock { $0 = [] }
            reads = try store.makeReadConnection()
            viewer = try #require(try reads.localAdministrator())
            self.filters = filters
            models = ObservableModels(
                epoch: store.epoch, head: try reads.head(), cacheBytesMax: 1 << 20,
                ChangeLookups(reads, ServerLog(level: .error)))
            for (index, filter) in filters.enumerated() {
                let url = SubscribedURL(
                    topics: [.list(.book, .everyone)], fields: nil, filter: .books(filter), since: models.head)
                let subscription = Subscription(
                    owner: UInt64(index), viewer: viewer, [url], cursor: models.head)
                models.subscribe(subscription)
                #expect(!models.wake(subscription))
            }
        }

        deinit {
            store.close()
            try? FileManager.default.removeItem(atPath: directory)
        }

        private func run(_ command: Command, if precondition: Precondition = Precondition()) throws {
            let done = Semaphore()
            let result = Mutex<Result<CommandOutcome, RequestError>?>(nil)
            _ = store.submit(
                SubmittedCommand(command: command, actor: CommandActor(viewer, precondition: precondition)) { outcome in
                    result.withLock { $0 = outcome }
                    done.signal()
                })
            done.wait()
            _ = try #require(result.withLock { $0 }).get()
        }

        func put(_ id: ResourceID, _ json: [UInt8]) throws {
            let patch = try BookPatch(try JSONDocument(json).root, form: .whole)
            let isThere = try reads.book(id) != nil
            try run(.putBook(id, patch), if: Precondition(ifMatch: isThere ? .any : nil))
        }

        func delete(_ id: ResourceID) throws {
            try run(.deleteBook(id))
        }

        /// Returns the results of each search.
        func lists() throws -> [Set<String>] {
            try filters.map { filter in
                let page = try reads.books(filter, order: .createdAt, descending: false, after: nil, limit: 1000) {
                    _, _ in nil
                }
                return Set(page.items.compactMap { if case .read(let book) = $0 { book.id.description } else { nil } })
            }
        }

        /// Compares the streams' events for the last writes with the lists before and after.
        func compare(_ before: [Set<String>], changed: Set<String>, _ phase: String) throws -> [Set<String>] {
            let commits = self.commits.all.withLock { commits in
                defer { commits = [] }
                return commits
            }
            for effect in commits.flatMap({ models.publish($0) }) {
                guard case .send(let subscription, let frames, let through) = effect else { continue }
                for frame in frames { received.take(subscription.owner, frame) }
                #expect(models.delivered(subscription, through: through, .taken) == .none)
            }
            let events = received.removeAll()
            let after = try lists()
            for (index, filter) in filters.enumerated() {
                let given = events[UInt64(index)] ?? [:]
                let kept = before[index].intersection(after[index]).intersection(changed)
                let expected = [
                    "enter": after[index].subtracting(before[index]), "leave": before[index].subtracting(after[index]),
                    "updated": kept,
                ]
                for (name, ids) in expected where ids != given[name, default: []] {
                    let asked = filter.search ?? filter.author
                    let words = asked.map { String(decoding: $0.text.bytes, as: UTF8.self) } ?? ""
                    Issue.record(
                        "\(phase): \(words) \(filter.language ?? "") lists \(ids.count), \(name) says \(given[name]?.count ?? 0)"
                    )
                }
            }
            return after
        }
    }

    private func body(_ title: String, pages: Int, language: String = "en", isAuthor: Bool = false) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.name("title")
        json.string(isAuthor ? "-" : title)
        json.name("authors")
        json.value(isAuthor ? [title] : [])
        json.name("pageCount")
        json.integer(Int64(pages))
        json.name("language")
        json.string(language)
        json.endObject()
        return json.bytes
    }

    /// The Unicode forms of equal meaning.
    static let forms: [(name: String, of: @Sendable (String) -> String)] = [
        ("as typed", { $0 }), ("composed", { $0.precomposedStringWithCanonicalMapping }),
        ("decomposed", { $0.decomposedStringWithCanonicalMapping }),
        ("compatible", { $0.precomposedStringWithCompatibilityMapping }), ("upper case", { $0.uppercased() }),
    ]

    /// Every beginning of every word, scalar by scalar, composed and decomposed.
    static let beginnings: [String] = {
        var beginnings: Set<[UInt8]> = []
        for title in titles {
            for form in forms.prefix(3) {
                for word in form.of(title).unicodeScalars.split(separator: " ") {
                    for end in word.indices { beginnings.insert(Array(String(word[...end]).utf8)) }
                }
            }
        }
        return beginnings.map { String(decoding: $0, as: UTF8.self) }.sorted()
    }()

    @Test(
        "A filtered list sends enter, updated and leave for exactly its rows, in every script and form",
        arguments: [false, true])
    func agrees(_ isAuthor: Bool) throws {
        var filters: Set<BookFilter> = []
        for text in Self.beginnings {
            for lastIsPrefix in [true, false] {
                guard let query = SearchQuery(text, begins: lastIsPrefix) else { continue }
                var filter = BookFilter()
                if isAuthor { filter.author = query } else { filter.search = query }
                filters.insert(filter)
            }
        }
        let scenario = try Scenario(Array(filters))
        let ids = Self.titles.map { _ in ResourceID(madeAt: .now) }
        let all = Set(ids.map(\.description))
        var lists = try scenario.lists()
        var pages = 1
        for round in 0..<4 {
            let form = Self.forms[[0, 2, 1, 4][round]]
            for (index, id) in ids.enumerated() {
                let title = form.of(Self.titles[(index + round * 7) % ids.count])
                try scenario.put(id, body(String(title.prefix(400)), pages: pages, isAuthor: isAuthor))
            }
            lists = try scenario.compare(lists, changed: all, "\(form.name), round \(round)")
            if round == 0 {
                pages += 1
                for (index, id) in ids.enumerated() {
                    try scenario.put(id, body(Self.titles[index], pages: pages, isAuthor: isAuthor))
                }
                lists = try scenario.compare(lists, changed: all, "more pages")
                #expect(lists.filter { !$0.isEmpty }.count > lists.count / 3)
            }
            pages += 1
        }
        for id in ids { try scenario.delete(id) }
        _ = try scenario.compare(lists, changed: [], "deleted")
    }

    @Test("A watched search finds a title by every beginning of each word, in whatever form")
    func beginnings() throws {
        for title in Self.titles {
            for stored in Self.forms.prefix(4) {
                let text = FoldedSearchText(stored.of(title))
                for asked in Self.forms.prefix(4) {
                    let whole = SearchQuery(asked.of(title), begins: false)
                    #expect(whole?.matches(text) ?? false, "\(title), \(stored.name), asked \(asked.name)")
                }
            }
        }
    }

    @Test("A language range matches the same in the list and on the stream (RFC 4647, 3.3.1)")
    func languages() throws {
        let ranges = ["en", "EN", "en-GB", "en-g", "e", "eng", "zh", "zh-Hant", "zh-hant-tw", "de"].map { range in
            var filter = BookFilter()
            filter.language = range
            return filter
        }
        let scenario = try Scenario(ranges)
        let tags = ["en", "EN", "en-GB", "en-gb-oxendict", "eng", "en-US", "zh-Hant-TW", "zh-Hans"]
        let ids = tags.map { _ in ResourceID(madeAt: .now) }
        var lists = try scenario.lists()
        for (id, tag) in zip(ids, tags) { try scenario.put(id, body("T", pages: 1, language: tag)) }
        lists = try scenario.compare(lists, changed: Set(ids.map(\.description)), "new")
        #expect(lists.map(\.count) == [5, 5, 2, 0, 0, 1, 2, 1, 1, 0])
        for (id, tag) in zip(ids, tags.reversed()) { try scenario.put(id, body("T", pages: 1, language: tag)) }
        _ = try scenario.compare(lists, changed: Set(ids.map(\.description)), "turned round")
    }
}
