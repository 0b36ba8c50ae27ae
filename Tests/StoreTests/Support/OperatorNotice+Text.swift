@testable import Store

extension OperatorNotice {
    var text: String {
        switch self {
        case .info(let text), .fault(let text): text
        }
    }
}
