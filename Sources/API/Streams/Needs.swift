import Model
import ObservableModels
import Store

extension Desk {
    /// What the models need to know of a commit.
    func answers(to needs: [Need]) -> [Answer] {
        needs.map { need in
            let answer = reads.answer(need)
            if let error = answer.error {
                service.log.error("What a change is to its watchers could not be read: \(error)")
            }
            return answer
        }
    }
}

extension ReadConnection: Parts {}

extension ReadConnection {
    /// What the models need to know of a commit, or of a page of the log.
    func answer(_ need: Need) -> Answer {
        do throws(LecternError) {
            return Answer(need, .success(try known(need)))
        } catch {
            return Answer(need, .failure(error))
        }
    }

    private func known(_ need: Need) throws(LecternError) -> Answer.Known {
        switch need.question {
        case .told(let readers): .readers(try told(of: need.change, among: readers))
        case .unlocked: .changes(try unlocked(need.change))
        case .wholes(let projection, let asked): .changes(try projection.changes(need.change, asked, self))
        }
    }
}
