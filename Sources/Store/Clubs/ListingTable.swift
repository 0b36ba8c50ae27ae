import Model

/// Rows of what everyone may know of clubs.
enum ListingTable: Table {
    static let rows = Rows<Listing>("listings", key: .own)

    static func scope(of row: Listing) -> Scope { .everyone }
}
