/// A message of the store for the operator, in one sentence.
package enum OperatorNotice: Sendable, Equatable {
    case info(String)
    /// A fault that needs the operator's attention.
    case fault(String)

    package var text: String {
        switch self {
        case .info(let text), .fault(let text): text
        }
    }
}
