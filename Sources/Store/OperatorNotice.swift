/// A message of the store for the operator, in one sentence.
package enum OperatorNotice: Sendable, Equatable {
    case info(String)
    /// A fault that needs the operator's attention.
    case fault(String)
}
