import Foundation

/// The cost of entries that unlock many of a club's notes, beside entries that unlock none, and of a new note for all
/// members.
struct ClubScenario {
    let server: BenchServer

    private static let memberCount = 200
    private static let noteCount = 5000
    /// The number of steps, each a fiftieth of the book, which unlocks a hundred notes for each member.
    private static let steps = 5
    private static let stepsOfBook = 50

    func run() throws {
        let club = try BenchClub(server, members: Self.memberCount, notes: Self.noteCount)
        try unlock(club)
        let note = #"{"book":"\#(club.book)","club":"\#(club.id)","threshold":"everyone","body":"Is anybody here?"}"#
        let streams = club.members.map { server.stream("/v1/clubs/\(club.id)/notes?limit=20", as: $0.token) }
        let result = server.fanOut(to: streams, of: [server.request("POST", "/v1/notes", note)])
        BenchResult.report("fanout club", [result])
    }

    /// Makes every member take every step, and record one position a second time, which unlocks nothing. That entry
    /// comes before or after the step, alternately. All use one connection, so no request waits for another.
    private func unlock(_ club: BenchClub) throws {
        guard let connection = BenchConnection(port: server.port) else { return }
        var unlocking = BenchResult()
        var plain = BenchResult()
        for member in club.members { _ = connection.exchange(entry(of: member, at: 0)) }
        for step in 1...Self.steps {
            for member in club.members {
                if step % 2 == 0 { measure(entry(of: member, at: step - 1), connection, &plain) }
                measure(entry(of: member, at: step), connection, &unlocking)
                if step % 2 == 1 { measure(entry(of: member, at: step), connection, &plain) }
            }
        }
        let notes = Self.noteCount / Self.stepsOfBook * Self.steps
        let right = try club.members.filter {
            try server.ids("/v1/clubs/\(club.id)/notes", as: $0.token).count == notes
        }
        plain.notes = ["without new notes"]
        unlocking.notes = [
            "\(Self.noteCount / Self.stepsOfBook) notes an entry; "
                + "\(right.count) of \(club.members.count) members see \(notes) of \(Self.noteCount) notes"
        ]
        BenchResult.report("plain entry", [plain])
        BenchResult.report("unlock", [unlocking])
    }

    private func entry(of member: BenchClub.Member, at step: Int) -> [UInt8] {
        server.request(
            "POST", "/v1/readings/\(member.reading)/entries",
            #"{"progress":\#(Double(step) / Double(Self.stepsOfBook))}"#, as: member.token)
    }

    private func measure(_ request: [UInt8], _ connection: BenchConnection, _ result: inout BenchResult) {
        let start = DispatchTime.now().uptimeNanoseconds
        let status = connection.exchange(request)
        let nanoseconds = DispatchTime.now().uptimeNanoseconds - start
        result.record(status, after: nanoseconds)
        result.seconds += Double(nanoseconds) / 1e9
    }
}
