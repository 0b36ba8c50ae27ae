import SharedByTests

@testable import Store

extension DatabaseTemplate {
    /// A database with this program's schema.
    static let newest = DatabaseTemplate { directory in
        _ = try SQLiteConnection.forWriting(DataDirectory(path: directory))
    }
}
