extension IntegrityRules {
    /// The guardian and the managed account must exist and have the right roles. A leaving reader's row may still
    /// exist.
    static let guardianships = [
        """
        SELECT 'guardianships: reader ' || hex(wards.id) || ' is the ward of a ward, of nobody, or no mere reader'
        FROM guardianships JOIN readers AS wards ON wards.key = guardianships.reader
        JOIN readers AS guards ON guards.key = guardianships.guardian
        WHERE wards.has_left = 0 AND (guards.has_left = 1 OR wards.role <> 'reader' OR wards.is_librarian = 1
            OR EXISTS (SELECT 1 FROM guardianships AS other WHERE other.reader = guardianships.guardian))
        """
    ]
}
