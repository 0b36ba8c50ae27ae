import Glibc

/// Waits on this thread until a condition comes true; false when it does not within its patience, which is for what never comes:
/// a test that is slow where many others run is not to fail by it. `comesTrue` is the same for a test that is an actor's.
package func eventually(seconds: Double = 120, _ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while try !condition() {
        guard ContinuousClock.now < deadline else { return false }
        usleep(2000)
    }
    return true
}
