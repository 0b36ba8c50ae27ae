import Foundation

/// Waits for a condition, for some seconds at most; whether it came about.
func eventually(seconds: Double = 30, _ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = Date().addingTimeInterval(seconds)
    while try !condition() {
        guard Date() < deadline else { return false }
        usleep(2000)
    }
    return true
}
