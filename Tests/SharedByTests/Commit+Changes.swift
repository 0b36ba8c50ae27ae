public import Model

extension Commit {
    /// Creates the commit of some changes, which must not be empty.
    public convenience init(changes: [Change]) {
        self.init(changes: changes, streamChanges: [], head: changes[changes.count - 1].seq)
    }
}
