package import Model

extension Command {
    /// Changes the asker's settings.
    package static func patchSettings(_ patch: MergePatch<Settings>) -> Command {
        Command { state, asker throws(LecternError) in
            let old = try state.settings(of: asker.reader.key)
            try asker.precondition.check(old)
            return Decision([Write<SettingsTable>(before: old, after: patch.applied(to: old))])
        }
    }
}

extension WriteState {
    /// The settings of a reader, who has some from the start.
    func settings(of reader: Int64) throws(LecternError) -> Settings {
        try found(SettingsTable.find(key: reader, in: db))
    }
}
