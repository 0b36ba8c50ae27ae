import Foundation

/// A search for fewer steps of a history with the same finding.
struct OracleShrinking {
    let seed: UInt64
    let finding: OracleFinding

    init(seed: UInt64, _ finding: OracleFinding) { (self.seed, self.finding) = (seed, finding) }

    func shrunk(secondsMax: Double) -> (steps: [Int], finding: OracleFinding) {
        let end = Date().addingTimeInterval(secondsMax)
        var best = (steps: Array(1...max(1, finding.step)), finding: finding)
        var size = best.steps.count / 2
        while size > 0, Date() < end {
            var from = 0
            while from < best.steps.count, Date() < end {
                var fewer = best.steps
                fewer.removeSubrange(from..<min(from + size, fewer.count))
                if let found = found(fewer) {
                    best = (fewer.filter { $0 <= found.step }, found)
                } else {
                    from += size
                }
            }
            size /= 2
        }
        return best
    }

    private func found(_ steps: [Int]) -> OracleFinding? {
        do {
            let scenario = try OracleHistory(seed: seed)
            for number in steps { try scenario.take(number) }
        } catch let found as OracleFinding {
            return found.kind == finding.kind ? found : nil
        } catch {
            return nil
        }
        return nil
    }
}
