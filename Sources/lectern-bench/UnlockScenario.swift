import Foundation

/// The cost of an entry that unlocks many of a club's notes, beside one that unlocks none.
struct UnlockScenario {
    let server: BenchServer
    let club: ClubScenario

    /// The number of steps, each a fiftieth of the book, which unlocks a hundred notes for each member.
    static let steps = 5
    static let stepsOfBook = 50

    /// Makes every member take every step, and record one position a second time, which unlocks nothing. That entry
    /// comes before or after the step, alternately. All use one connection, so no request waits for another.
    func run() {
        guard let connection = BenchConnection(port: server.port) else { return }
        var unlocking = RequestLoadResult()
        var plain = RequestLoadResult()
        for member in club.members { _ = connection.exchange(entry(of: member, at: 0)) }
        for step in 1...Self.steps {
            for member in club.members {
                if step % 2 == 0 { measure(entry(of: member, at: step - 1), connection, &plain) }
                measure(entry(of: member, at: step), connection, &unlocking)
                if step % 2 == 1 { measure(entry(of: member, at: step), connection, &plain) }
            }
        }
        unlocking.latencies.sort()
        plain.latencies.sort()
        let notes = ClubScenario.noteCount / Self.stepsOfBook
        print(
            String(
                format:
                    "club                unlocking %d notes p50 %.2f p99 %.2f ms, none p50 %.2f p99 %.2f ms: %.2f x, %.2f x",
                notes, unlocking.percentile(0.5), unlocking.percentile(0.99), plain.percentile(0.5),
                plain.percentile(0.99), unlocking.percentile(0.5) / plain.percentile(0.5),
                unlocking.percentile(0.99) / plain.percentile(0.99)))
        let right = club.members.filter {
            ListPageReader.ids(server, connection, "/v1/clubs/\(club.id)/notes", as: $0.token).count == notes
                * Self.steps
        }
        print(
            "                    \(unlocking.answers) and \(plain.answers) entries,",
            "\(unlocking.failures + plain.failures) failures;",
            "\(right.count) of \(club.members.count) members see \(notes * Self.steps) of \(ClubScenario.noteCount) notes"
        )
    }

    private func entry(of member: ClubScenario.Member, at step: Int) -> [UInt8] {
        server.request(
            "POST", "/v1/readings/\(member.reading)/entries",
            "{\"progress\":\(Double(step) / Double(Self.stepsOfBook))}", as: member.token)
    }

    private func measure(_ request: [UInt8], _ connection: BenchConnection, _ result: inout RequestLoadResult) {
        let start = DispatchTime.now().uptimeNanoseconds
        let status = connection.exchange(request)?.status
        result.latencies.append(UInt32(clamping: (DispatchTime.now().uptimeNanoseconds - start) / 1000))
        if status == 201 { result.answers += 1 } else { result.failures += 1 }
    }
}
