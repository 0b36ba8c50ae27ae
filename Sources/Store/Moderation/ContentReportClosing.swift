import Model

/// The change that closes a report. Its outcome is the report as the viewer may see it.
struct ContentReportClosing: CommandChange {
    let before: ContentReport
    let after: ContentReport
    let viewer: Viewer

    func apply(to transaction: inout WriteTransaction) throws(SQLiteError) -> CommandOutcome? {
        let outcome = try RowWrite<ContentReportTable>(before: before, after: after).apply(to: &transaction)
        guard let outcome, let report = try ContentReportTable.find(before.id, in: transaction.connection) else {
            return nil
        }
        let shown = try ContentReportTable.shown(report, to: viewer, in: transaction.connection)
        return CommandOutcome(
            outcome.resource, version: outcome.version, value: shown.encoded(), effect: outcome.effect,
            ownValidator: shown.validator)
    }
}
