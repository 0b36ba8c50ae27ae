import API

/// Applies the settings file's reloadable settings, and logs which other settings have changed since the start. A file
/// with an error changes nothing.
func reload(_ service: Service, _ arguments: CommandLineArguments) {
    do throws(CommandError) {
        var renewed = arguments
        try renewed.readSettings()
        var configuration = Service.Configuration(directory: renewed.directory)
        try renewed.setReloadable(in: &configuration)
        service.reload(configuration)
        let file =
            renewed[.settings].map { "as \($0) says" } ?? "but nothing changes without a --settings file"
        let waiting = CommandLineFlag.all.filter { !$0.isReloadable && renewed[$0] != arguments[$0] }
        let rest =
            waiting.isEmpty ? "" : "; not before the next start: \(waiting.map(\.variable).joined(separator: ", "))"
        service.log.info("settings were reloaded, \(file)\(rest)")
    } catch {
        service.log.error("settings were not reloaded: \(error)")
    }
}
