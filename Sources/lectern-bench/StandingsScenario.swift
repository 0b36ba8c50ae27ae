import Foundation

/// The cost of reading the standings of a club's members, and of sending one member's change to all of them.
struct StandingsScenario {
    let server: BenchServer
    let club: ClubScenario
    let seconds: Double

    func run() {
        ask()
        fanOut()
    }

    private var path: String { "/v1/clubs/\(club.id)/standings" }

    /// Measures one connection that sends one request after the other.
    private func ask() {
        let request = server.request("GET", path, as: club.members[0].token)
        let body = BenchConnection(port: server.port)?.exchange(request, keepingBody: true)?.body ?? []
        let rows = String(decoding: body, as: UTF8.self).components(separatedBy: "{\"id\":\"").count - 1
        let before = server.processorSeconds()
        let result = RequestLoad.run(port: server.port, connections: 1, seconds: seconds, expecting: 200, [request])
        let processorSeconds = server.processorSeconds() - before
        print(
            String(
                format:
                    "                    %d standings p50 %.2f p99 %.2f ms, cpu %.2f ms; %d bytes, %d answers, %d failures",
                rows, result.percentile(0.5), result.percentile(0.99),
                processorSeconds * 1000 / Double(max(1, result.answers)), body.count, result.answers, result.failures))
    }

    /// Measures streams of every member while one moves back and forth within the part that they have read.
    private func fanOut() {
        let (server, members, member) = (server, club.members, club.members[0])
        let publisher = BenchConnection(port: server.port)
        let result = FanOutScenario(
            server, subscribers: members.count, events: 200, perSecond: 20,
            request: { server.request("GET", path, fields: "Accept: text/event-stream\r\n", as: members[$0].token) }
        ) { number in
            let body = "{\"progress\":0.0\(number % 2 == 0 ? 4 : 6)}"
            _ = publisher?.exchange(
                server.request("POST", "/v1/readings/\(member.reading)/entries", body, as: member.token))
        }
        print(
            String(
                format: "                    %d subscribers of the standings p50 %.2f p99 %.2f ms; %d events, %@",
                members.count, result.percentile(0.5), result.percentile(0.99), result.latencies.count,
                result.faults))
    }
}
