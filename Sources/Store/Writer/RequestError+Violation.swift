import JSON
import Model

extension RequestError {
    /// Returns the error for one member that violates a rule.
    static func violation(_ pointer: String, _ detail: String) -> RequestError {
        .invalid([Violation(pointer: pointer, detail: detail)])
    }
}
