import Foundation

/// Returns whether a condition comes true, for a test on an actor; see `eventually`. It, too, waits on separate
/// threads.
package func comesTrue(
    isolation: isolated (any Actor)? = #isolation, _ condition: () throws -> Bool
) async rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(patienceSeconds)
    while try !condition() {
        guard ContinuousClock.now < deadline else { return false }
        await withCheckedContinuation { continuation in
            Thread {
                Thread.sleep(forTimeInterval: 0.005)
                continuation.resume()
            }.start()
        }
    }
    return true
}
