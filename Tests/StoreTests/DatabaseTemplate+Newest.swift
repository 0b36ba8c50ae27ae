import SharedByTests

@testable import Store

extension DatabaseTemplate {
    /// Of this program's schema.
    static let newest = DatabaseTemplate { directory in
        _ = try Connection.forWriting(DataDirectory(path: directory))
    }
}
