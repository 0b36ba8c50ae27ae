package import Model

extension Command {
    /// Scenes of one reader, on all devices.
    static let scenesPerReaderMax = 200

    /// Keeps what a device of the asker's says of itself.
    package static func putScene(_ place: ScenePlace, _ draft: SceneDraft) -> Command {
        Command { state, asker throws(LecternError) in
            let id = place.id(of: asker.reader.id)
            let old = try state.read(SceneTable.find(id, in: state.db))
            try asker.precondition.check(old)
            let count = old == nil ? try state.read(SceneTable.count(ofReader: asker.reader.key, in: state.db)) : 0
            guard count < scenesPerReaderMax else {
                throw .limitReached(
                    limit: "scenesPerReaderMax", max: scenesPerReaderMax,
                    "You have \(scenesPerReaderMax) scenes, which is the maximum. Delete one first.")
            }
            var new = old ?? Scene(at: place, of: asker.reader, createdAt: asker.now)
            new.value = draft.value
            return Decision([Write<SceneTable>(before: old, after: new), SceneUse(scene: id)])
        }
    }

    /// Takes a scene of the asker's away.
    package static func deleteScene(_ place: ScenePlace) -> Command {
        Command { state, asker throws(LecternError) in
            let old = try state.found(SceneTable.find(place.id(of: asker.reader.id), in: state.db))
            try asker.precondition.check(old)
            return Decision([Write<SceneTable>(before: old, after: nil)])
        }
    }

    /// Notes that a scene is used today.
    package static func useScene(_ id: ResourceID) -> Command { Command { _, _ in Decision([SceneUse(scene: id)]) } }

    /// Takes away scenes that nobody has used since a day, as many as one command may. The writer asks for it, once a second.
    package static func forgetScenes(unusedSince day: Int64) -> Command {
        Command { state, _ throws(LecternError) in
            Decision(
                try state.ending(
                    SceneTable.self, SceneTable.unused(since: day, limit: UnusedScenes.countMax, in: state.db)))
        }
    }
}

/// What no device has come back for.
enum UnusedScenes {
    /// Days that a scene is kept without being used.
    static let daysMax: Int64 = 90
    /// Scenes of one command; the others have their turn at the next.
    static let countMax = 100

    /// Whether there are any. Costs a look into an index.
    static func areThere(since day: Int64, in connection: Connection) throws(SQLiteError) -> Bool {
        try connection.statement("SELECT 1 FROM scenes WHERE used_day < ?1 LIMIT 1").bind(1, day).first { _ in true }
            ?? false
    }
}
