import Model
import ObservableModels
import Store

extension RequestPipeline {
    /// The maximum number of log rows about the visibility of notes that are read at once for a commit. A larger
    /// commit, such as a block of an author of thousands of notes, would delay everybody on the loop. Its subscribers
    /// read it from the log, each in its reader's turns.
    private static let visibilityRowsMax = 4

    /// Returns the results of the database look-ups that `ObservableModels` needs to publish a commit.
    func answers(to needs: [CommitLookup]) -> [CommitLookupResult] {
        let isLarge = needs.count { $0.isVisibilityChange } > Self.visibilityRowsMax
        return needs.map { need in
            if isLarge, need.isVisibilityChange { return CommitLookupResult(fromLog: need) }
            let answer = answer(need)
            if let error = answer.error {
                service.log.error("cannot read a change for its watchers: \(error)")
            }
            return answer
        }
    }

    private func answer(_ need: CommitLookup) -> CommitLookupResult {
        guard case .successors(let topic, let place, let count) = need.question else { return reads.answer(need) }
        return CommitLookupResult(need) { () throws(RequestError) in
            guard let source = models.source(of: topic) else { throw .notFound }
            return .rows(try source(place, count))
        }
    }
}

extension ReadConnection {
    /// Returns the answer to a look-up for a commit or a page of the log.
    func answer(_ need: CommitLookup) -> CommitLookupResult {
        CommitLookupResult(need) { () throws(RequestError) in try known(need) }
    }

    private func known(_ need: CommitLookup) throws(RequestError) -> CommitLookupAnswer {
        switch need.question {
        case .recipients(let readers): .readers(try recipients(of: need.change, among: readers))
        case .unlocked: .changes(try unlocked(need.change))
        case .composed(let watched): .changes(try cardChanges(by: need.change, watched))
        case .successors: throw .internalError("a list reads its following rows itself")
        }
    }
}
