import Foundation
import JSON
import SharedByTests
import Testing

/// A club that reads one book in four editions, of which two say where its twenty chapters begin.
private struct MixedClub {
    let story: ClubStory
    var service: TestService { story.service }
    /// The tokens of who reads the e-book, the recording, and paper of two sorts; and their readings and editions.
    var tokens: [String: String] = [:]
    private var readings: [String: String] = [:]
    private(set) var editions: [String: String] = [:]

    init() throws {
        story = try ClubStory()
        tokens["ebook"] = story.ben
        for name in ["audio", "paper", "paper too", "old paper"] {
            let token = try story.service.reader(name)
            try story.join(token)
            tokens[name] = token
        }
        let forms = [
            ("ebook", #""ebook","storyStart":2,"storyEnd":82"#),
            ("audio", #""audio","length":40000,"storyStart":100,"storyEnd":39900"#),
            ("paper", #""paper","length":400,"storyStart":10,"storyEnd":390"#),
            ("old paper", #""paper","length":250,"storyStart":5,"storyEnd":245"#),
        ]
        let path = "/v1/books/\(story.book)"
        for (name, form) in forms { editions[name] = try service.make("\(path)/editions", "{\"format\":\(form)}") }
        editions["paper too"] = editions["paper"]
        let chapters = (0..<20).map { "{\"share\":\(Double($0) / 20)}" }.joined(separator: ",")
        #expect(try service.send("PUT", "\(path)/chapters", "{\"chapters\":[\(chapters)]}").status == 201)
        for (name, start, step) in [("ebook", 2, 4), ("audio", 100, 1990)] {
            let begins = (0..<20).map { "\(start + $0 * step)" }.joined(separator: ",")
            let anchors = "/v1/editions/\(editions[name] ?? "")/anchors"
            #expect(try service.send("PUT", anchors, "{\"begins\":[\(begins)]}").status == 201)
        }
        for (name, token) in tokens {
            let body = "{\"book\":\"\(story.book)\",\"edition\":\"\(editions[name] ?? "")\",\"isReread\":true}"
            readings[name] = try service.make("/v1/readings", body, token: token)
        }
    }

    func read(_ name: String, _ at: String) throws {
        _ = try service.make("/v1/readings/\(readings[name] ?? "")/entries", "{\"at\":{\(at)}}", token: tokens[name])
    }

    /// A note by one of them, as they say where it is.
    func write(_ name: String, _ at: String) throws -> Answer {
        let body =
            "{\"book\":\"\(story.book)\",\"club\":\"\(story.club)\",\"at\":{\(at)},\"body\":\"\(name): \(at.count)\"}"
        let answer = try service.send("POST", "/v1/notes", body, token: tokens[name] ?? "")
        #expect(answer.status == 201, "\(answer.text)")
        return answer
    }

    /// Who finds a note, in the list and by its id alike.
    func who(sees note: Answer) throws -> Set<String> {
        let id = note["id"]?.string ?? ""
        var found: Set<String> = []
        for (name, token) in tokens {
            let page = try service.send("GET", "/v1/clubs/\(story.club)/notes?limit=100", token: token)
            let isListed = page["items"]?.elements.contains { $0["id"]?.string == id } ?? false
            #expect(try service.send("GET", "/v1/notes/\(id)", token: token).status == (isListed ? 200 : 404))
            if isListed { found.insert(name) }
        }
        return found
    }
}

@Suite("Clubs that read in several editions", .serialized, .ownThreads)
struct MixedEditionTests {
    @Test("The end of an e-book is the end of the story: nobody sees it before theirs, and who came there sees all")
    func ends() throws {
        let club = try MixedClub()
        try club.read("ebook", #""progress":0.82"#)
        let solution = try club.write("ebook", #""progress":0.82"#)
        #expect(solution["progress"]?.double == 1 && solution["opensAt"]?.double == 1, "\(solution.text)")
        try club.read("paper", #""page":330"#)
        try club.read("old paper", #""page":244"#)
        try club.read("audio", #""seconds":39899"#)
        #expect(try club.who(sees: solution) == ["ebook"])
        let list = try Watcher(club.service, "/v1/clubs/\(club.story.club)/notes", token: club.tokens["audio"])
        #expect(list.wait(count: 1))
        try club.read("audio", #""seconds":39900"#)
        #expect(list.wait(count: 2) && list.names == ["snapshot", "unlocked"])
        try club.read("old paper", #""page":245"#)
        #expect(try club.who(sees: solution) == ["ebook", "audio", "old paper"])
        let last = try club.write("paper", #""page":398"#)
        #expect(try club.who(sees: last) == ["ebook", "audio", "paper", "old paper"])
    }

    @Test("A note is exact for its own edition and among anchored ones, and else opens at the end of its chapter")
    func chapters() throws {
        let club = try MixedClub()
        let paper = try club.write("paper", #""page":174"#)
        #expect(paper["opensAt"]?.double == 0.45, "\(paper.text)")
        try club.read("paper too", #""page":173"#)
        try club.read("ebook", #""chapter":9,"fraction":0.99"#)
        try club.read("audio", #""seconds":18009"#)
        try club.read("old paper", #""page":112"#)
        #expect(try club.who(sees: paper) == ["paper"])
        try club.read("paper too", #""page":174"#)
        #expect(try club.who(sees: paper) == ["paper", "paper too"])
        try club.read("ebook", #""chapter":10,"fraction":0"#)
        try club.read("audio", #""seconds":18010"#)
        try club.read("old paper", #""page":113"#)
        #expect(try club.who(sees: paper).count == 5)

        let spoken = try club.write("audio", #""chapter":12,"fraction":0.5"#)
        #expect(spoken["progress"]?.double == 0.575 && spoken["opensAt"]?.double == 0.6, "\(spoken.text)")
        try club.read("ebook", #""progress":0.479"#)
        try club.read("paper", #""page":230"#)
        #expect(try club.who(sees: spoken) == ["audio"])
        try club.read("ebook", #""progress":0.48"#)
        #expect(try club.who(sees: spoken) == ["audio", "ebook"])
        try club.read("paper", #""page":238"#)
        #expect(try club.who(sees: spoken) == ["audio", "ebook", "paper"])
    }

    @Test("What is said of anchors later, and another edition midway, show and hide nothing that was there")
    func later() throws {
        let club = try MixedClub()
        let note = try club.write("paper", #""page":174"#)
        try club.read("ebook", #""chapter":9,"fraction":0.5"#)
        try club.read("paper too", #""page":180"#)
        #expect(try club.who(sees: note) == ["paper", "paper too"])
        for (name, first) in [("ebook", 3), ("paper", 11)] {
            let begins = (0..<20).map { "\(first + $0 * 2)" }.joined(separator: ",")
            let path = "/v1/editions/\(club.editions[name] ?? "")/anchors"
            #expect(try club.service.send("PUT", path, "{\"begins\":[\(begins)]}").status < 300)
        }
        let list = try club.service.send("GET", "/v1/readings", token: club.tokens["paper too"] ?? "")
        let reading = list["items"]?.elements.compactMap { $0["id"]?.string }.first ?? ""
        let other = "{\"edition\":\"\(club.editions["ebook"] ?? "")\"}"
        #expect(
            try club.service.send("PATCH", "/v1/readings/\(reading)", other, token: club.tokens["paper too"] ?? "")
                .status == 200)
        #expect(try club.who(sees: note) == ["paper", "paper too"])
    }
}
