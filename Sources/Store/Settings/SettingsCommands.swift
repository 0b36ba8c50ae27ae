package import Model

extension Command {
    /// Changes the actor's settings.
    package static func updateSettings(_ patch: MergePatch<Settings>) -> Command {
        Command { state, actor throws(RequestError) in
            let old = try state.settings(of: actor.reader.key)
            try actor.precondition.check(old)
            return CommandDecision([RowWrite<SettingsTable>(before: old, after: patch.applied(to: old))])
        }
    }
}

extension WriteState {
    /// Returns the settings of a reader, which always exist.
    func settings(of reader: Int64) throws(RequestError) -> Settings {
        try found(SettingsTable.find(key: reader, in: db))
    }
}
