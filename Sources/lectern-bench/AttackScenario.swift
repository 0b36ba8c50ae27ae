import Foundation

/// The latency for a reader while another reader does one expensive thing, beside a control: the same attack on another
/// server of the same machine.
struct AttackScenario {
    let seconds: Double

    /// Prints the results of each attack.
    func run() throws {
        let target = try AttackTarget(BenchServer(connections: 16))
        let control = try AttackTarget(BenchServer(connections: 16, port: 18_089))
        print("attack                reads p50/p99/max ms  control               writes p50/p99/max ms  control")
        for (attack, other) in zip(target.attacks, control.attacks) {
            let beside = measure(target, during: other, on: control.server.port)
            let under = measure(target, during: attack, on: target.server.port)
            let columns = [attack.name, under.reads, beside.reads, under.writes, beside.writes]
            print(columns.map { $0.padding(toLength: 22, withPad: " ", startingAt: 0) }.joined())
            print("  \(under.answers)")
        }
        for line in longestTurns(of: target.server) { print(line) }
    }

    /// Returns the latencies of the victim's reads and writes during an attack, and the responses to the attack.
    private func measure(
        _ target: AttackTarget, during attack: Attack, on port: UInt16
    ) -> (reads: String, writes: String, answers: String) {
        let attacking = attack.start(port: port)
        let victims = [target.reads, target.writes].map { $0.start(port: target.server.port) }
        Thread.sleep(forTimeInterval: seconds)
        let texts = victims.map { victim in
            let result = victim.stop()[0]
            return String(
                format: "%.1f/%.1f/%.0f%@", result.percentile(0.5), result.percentile(0.99), result.percentile(1),
                result.failures > 0 ? " (\(result.failures) failed)" : "")
        }
        let counts = Dictionary(grouping: attacking.stop().flatMap(\.self)) { $0 ?? 0 }.sorted { $0.key < $1.key }
        let answers = counts.map { "\($0.value.count) x \($0.key == 0 ? "closed" : "\($0.key)")" }
        return (texts[0], texts[1], answers.joined(separator: ", "))
    }

    private func longestTurns(of server: BenchServer) -> [String] {
        let connection = BenchConnection(port: server.port)
        _ = connection?.exchange(server.request("GET", "/metrics"))
        return String(decoding: connection?.body ?? [], as: UTF8.self).split(separator: "\n")
            .filter { $0.contains("_turn_longest_seconds ") && $0.first != "#" }.map(String.init)
    }
}
