package import Model

extension Command {
    /// The maximum number of scenes of one reader, on all devices.
    static let scenesPerReaderMax = CountLimit("scenesPerReaderMax", 200) {
        "You have \($0) scenes, which is the maximum. Delete one first."
    }

    /// Stores a scene of one of the actor's devices.
    package static func putScene(_ place: ClientSceneKey, _ draft: ClientSceneDraft) -> Command {
        Command { state, actor throws(RequestError) in
            let id = place.id(of: actor.reader.id)
            let old = try state.query(ClientSceneTable.find(id, in: state.db))
            try actor.precondition.check(old)
            if old == nil {
                try scenesPerReaderMax.demandRoom(
                    beside: state.query(ClientSceneTable.rows.count(of: "reader", actor.reader.key, in: state.db)))
            }
            var new = old ?? ClientScene(at: place, of: actor.reader, createdAt: actor.now)
            new.value = draft.value
            return CommandDecision([
                RowWrite<ClientSceneTable>(before: old, after: new), ClientSceneTable.use(of: id, on: state.today),
            ])
        }
    }

    /// Deletes a scene of the actor.
    package static func deleteScene(_ place: ClientSceneKey) -> Command {
        deletion(ClientSceneTable.self) { state, actor throws(RequestError) in
            try state.found(ClientSceneTable.find(place.id(of: actor.reader.id), in: state.db))
        }
    }

    /// Records that a scene is used today.
    package static func useScene(_ id: ResourceID) -> Command {
        Command { state, _ in CommandDecision([ClientSceneTable.use(of: id, on: state.today)]) }
    }

    /// The number of days that an unused scene is kept.
    static let unusedSceneDaysMax: Int64 = 90

    /// Deletes scenes that no device has used for more than some days.
    static func forgetScenes(unusedForDays days: Int64 = unusedSceneDaysMax) -> Command {
        Command { state, _ throws(RequestError) in
            CommandDecision(
                try state.ending(
                    ClientSceneTable.self,
                    ClientSceneTable.unused(since: state.today - days, limit: dueEventsMax, in: state.db)))
        }
    }
}
