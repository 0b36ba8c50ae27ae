import Glibc
import Model

extension DataDirectory {
    /// Copies the database before its schema is upgraded and before requests are served. The copy is kept beside the
    /// database whether or not the upgrade succeeds. If it fails there is no upgrade, unless the operator disabled the
    /// copy.
    func backUpBeforeUpgrade(
        _ connection: SQLiteConnection, from version: Int64, _ configuration: StoreConfiguration,
        report: (OperatorNotice) -> Void
    ) throws(StoreError) {
        let upgrade = "upgrade of the schema from \(version) to \(DatabaseSchema.newest)"
        guard configuration.backups.precedeUpgrades else {
            return report(.info("\(upgrade), without a copy"))
        }
        let folder = BackupDirectory(path: backups)
        do throws(StoreError) {
            try folder.make()
            folder.clear()
            var backup = Backup(Backup.id(of: .now), .upgrade)
            let file = try DatabaseCopyFile(creating: folder.path(of: backup.part))
            backup.seq = try file.fill(from: connection, of: bytes, spare: configuration.ballastBytes).seq
            try file.finish(as: folder.path(of: backup.file), replacing: true)
            folder.prune(.upgrade, keeping: BackupSettings.upgradesMax)
            report(.info("\(upgrade). A copy from before it is \(folder.path(of: backup.file))"))
        } catch {
            throw .file(
                path: database,
                reason:
                    "it needs an upgrade, but the copy before it failed (\(error)). Nothing was changed. Free some space, or "
                    + "use --backup-before-upgrade false if you have another backup")
        }
    }
}
