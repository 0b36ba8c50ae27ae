import API
import Foundation
import JSON
import SharedByTests
import Testing

// Actions on milestones, notes, meetings and readings of runs.
extension RunHistory {
    private mutating func named() -> (RunRules.Named, String) {
        let book = number(0..<2)
        switch number(0..<3) {
        case 0:
            guard let run = rules.runs.randomElement(using: &random) else { return (.none, "") }
            return (.run(run.id), "\"run\":\"\(run.id)\",")
        case 1: return (.book(book), "\"book\":\"\(books[book])\",")
        default: return (.none, "")
        }
    }

    mutating func createMilestone() throws {
        let (named, given) = named()
        let answer = try send(
            "POST", "milestones", "{\(given)\"position\":{\"progress\":0.5},\"dueAt\":\"2090-01-01T00:00:00Z\"}", by: 0)
        let expected = rules.decided(named)
        #expect(answer.status == expected.status && answer["run"]?.string == expected.run?.id, "\(answer.text)")
        keep(answer, "milestones", expected.run?.book)
    }

    /// Returns the JSON member that sometimes names a run of a book, and the run that the request concerns.
    private mutating func given(on book: Int) -> (String, RunRules.Meant) {
        guard number(0..<3) == 0, let run = rules.runs.filter({ $0.book == book }).randomElement(using: &random) else {
            return ("", rules.meant(on: book))
        }
        return (",\"run\":\"\(run.id)\"", .one(run))
    }

    mutating func write() throws {
        let (reader, book) = (number(0..<3), number(0..<2))
        let (given, run) = given(on: book)
        let body =
            "{\"book\":\"\(books[book])\",\"club\":\"\(club)\",\"body\":\"x\",\"threshold\":\"everyone\"\(given)}"
        let answer = try service.send("POST", "/v1/notes", body, token: tokens[reader])
        #expect(answer.status == run.status(201) && answer["run"]?.string == run.id, "\(answer.text)")
        keep(answer, "notes", book)
    }

    mutating func meet() throws {
        let book = number(0..<2)
        let (given, run) = given(on: book)
        let body = "{\"startsAt\":\"2090-01-01T00:00:00Z\",\"book\":\"\(books[book])\"\(given)}"
        let answer = try send("POST", "meetings", body, by: 0)
        #expect(answer.status == run.status(201) && answer["run"]?.string == run.id, "\(answer.text)")
        keep(answer, "meetings", book)
    }

    mutating func moveMeeting() throws {
        guard let index = rules.parts["meetings"]?.indices.randomElement(using: &random) else { return }
        let old = rules.parts["meetings"]![index]
        let book = number(0..<3)
        var new = RunRules.Part(id: old.id, book: book == 2 ? nil : book, run: nil)
        var (given, status) = ("", 200)
        if book < 2 {
            let (more, run) = self.given(on: book)
            let isKept = more.isEmpty && book == old.book
            (given, new.run, status) = (more, isKept ? old.run : run.id, isKept ? 200 : run.status(200))
        }
        let body = "{\"book\":\(book == 2 ? "null" : "\"\(books[book])\"")\(given)}"
        let answer = try send("PATCH", "meetings/\(old.id)", body, by: 0)
        #expect(answer.status == status, "\(answer.text)")
        guard status == 200 else { return }
        #expect(answer["run"]?.string == new.run, "\(answer.text)")
        rules.parts["meetings"]![index] = new
    }

    private mutating func keep(_ answer: Answer, _ list: String, _ book: Int?) {
        guard answer.status == 201, let id = answer["id"]?.string else { return }
        rules.parts[list]?.append(RunRules.Part(id: id, book: book, run: answer["run"]?.string))
    }

    mutating func createStanding() throws {
        let reader = number(0..<3)
        let (named, given) = named()
        let answer = try send("POST", "standings", "{\(given.dropLast())}", by: reader)
        let (run, status) = rules.decided(named)
        guard let run else { return #expect(answer.status == status, "\(answer.text)") }
        let reading = rules.reading(of: reader, in: run)
        let old = rules.standings.first { $0.reader == reader && $0.run == run.id }
        let isSame = old != nil && old?.reading == reading
        #expect(answer.status == (isSame ? 200 : 201) && answer["run"]?.string == run.id, "\(answer.text)")
        if isSame { return }
        if reading == nil { try learnReading(reader, run.book) }
        rules.standings.removeAll { $0.id == old?.id }
        rules.standings.append(
            .init(
                id: answer["id"]?.string ?? "", run: run.id, reader: reader,
                reading: reading ?? rules.readings.count - 1))
    }

    /// Adds the reading that was created with a standing.
    private mutating func learnReading(_ reader: Int, _ book: Int) throws {
        let all = try service.send("GET", "/v1/readings?limit=100&book=\(books[book])", token: tokens[reader])
        let new = all["items"]?.elements.compactMap { $0["id"]?.string }.filter { !readingIDs.contains($0) } ?? []
        #expect(new.count == 1)
        readingIDs.append(new.first ?? "")
        rules.readings.append(.init(reader: reader, book: book))
    }

    mutating func finish() throws {
        guard let index = rules.readings.indices.filter({ rules.readings[$0].isOpen }).randomElement(using: &random)
        else { return }
        let answer = try service.send(
            "PATCH", "/v1/readings/\(readingIDs[index])", "{\"state\":\"finished\"}",
            token: tokens[rules.readings[index].reader])
        #expect(answer.status == 200)
        rules.readings[index].isOpen = false
    }

    mutating func takeAway() throws {
        let list = ["milestones", "meetings", "notes"].randomElement(using: &random)!
        guard let index = rules.parts[list]?.indices.randomElement(using: &random),
            let id = rules.parts[list]?.remove(at: index).id
        else { return }
        let path = list == "notes" ? "/v1/notes/\(id)" : "/v1/clubs/\(club)/\(list)/\(id)"
        #expect(try service.send("DELETE", path, token: tokens[0]).status == 204)
    }
}

extension RunRules.Meant {
    var id: String? { if case .one(let run) = self { run.id } else { nil } }

    /// Returns a response's status: `status`, unless the request had to name a run.
    func status(_ status: Int) -> Int { if case .ambiguous = self { 422 } else { status } }
}
