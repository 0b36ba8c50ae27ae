import SharedByTests

@testable import Store

extension DatabaseTemplate {
    /// A database with this program's schema.
    static let newest = DatabaseTemplate { directory in
        _ = try Connection.forWriting(DataDirectory(path: directory))
    }
}
