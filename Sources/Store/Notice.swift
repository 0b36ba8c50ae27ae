/// What the store has to tell the person who operates it, in a sentence.
package enum Notice: Sendable, Equatable {
    case info(String)
    /// Something is not as it should be, and somebody should see to it.
    case fault(String)

    package var text: String {
        switch self {
        case .info(let text), .fault(let text): text
        }
    }
}
