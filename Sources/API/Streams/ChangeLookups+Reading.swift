import Model
import ObservableModels
import Store

extension ChangeLookups {
    /// Creates the look-ups of a loop with its database connection. Errors go to the server's log.
    init(_ reads: ReadConnection, _ log: ServerLog) {
        self.init(
            recipients: { change, readers throws(RequestError) in try reads.recipients(of: change, among: readers) },
            visibilityChanges: { row throws(RequestError) in try reads.visibilityChanges(in: row).changes },
            composed: { change, watched throws(RequestError) in try reads.cardChanges(by: change, watched) },
            report: { log.error("cannot read a change for its watchers: \($0)") })
    }
}
