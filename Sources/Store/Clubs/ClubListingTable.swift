import Model

/// The table of listings: the part of listed clubs that everyone may see.
enum ClubListingTable: ExportedTable {
    static let rows = TableMapping<ClubListing>("listings", key: .own)

    static func scope(of row: ClubListing) -> ChangeScope { .everyone }

    static let endings: [ResourceEnding] = []
}
