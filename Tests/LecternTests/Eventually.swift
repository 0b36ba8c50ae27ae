import Foundation
import Glibc

/// Whether a condition comes true before the deadline.
func eventually(seconds: Double = 20, _ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = Date().addingTimeInterval(seconds)
    while try !condition() {
        guard Date() < deadline else { return false }
        usleep(10_000)
    }
    return true
}
