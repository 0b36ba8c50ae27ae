import Glibc

/// The seconds after which a test gives up waiting. They are for conditions that never come true. A test that is slow
/// because the machine is busy must not fail.
package let patienceSeconds = 1200

/// Waits on this thread until a condition comes true, and returns whether it has. `comesTrue` does the same for a test
/// on an actor.
///
/// - Parameter milliseconds: The pause between two evaluations of the condition.
package func eventually(every milliseconds: UInt32 = 2, _ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(patienceSeconds)
    while try !condition() {
        guard ContinuousClock.now < deadline else { return false }
        usleep(milliseconds * 1000)
    }
    return true
}

/// Waits until a number has not changed for this many evaluations, and returns it.
package func settled(looks: Int = 100, _ number: () -> Int) -> Int {
    var (last, same) = (number(), 0)
    _ = eventually {
        let now = number()
        (last, same) = (now, now == last ? same + 1 : 0)
        return same >= looks
    }
    return last
}
