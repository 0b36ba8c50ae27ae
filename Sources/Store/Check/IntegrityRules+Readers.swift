extension IntegrityRules {
    /// The rule that the guardian and the managed account exist and have the right roles. A leaving reader's row may
    /// still exist.
    static let guardianships = [
        """
        SELECT 'guardianships: reader ' || hex(managed.id) || ' is managed by a managed account, of nobody, or no mere reader'
        FROM guardianships JOIN readers AS managed ON managed.key = guardianships.reader
        JOIN readers AS guards ON guards.key = guardianships.guardian
        WHERE managed.has_left = 0 AND (guards.has_left = 1 OR managed.role <> 'reader' OR managed.is_librarian = 1
            OR EXISTS (SELECT 1 FROM guardianships AS other WHERE other.reader = guardianships.guardian))
        """
    ]
}
