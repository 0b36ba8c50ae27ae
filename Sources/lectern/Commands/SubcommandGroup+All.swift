extension SubcommandGroup {
    static let running = SubcommandGroup(
        title: "Run",
        commands: [
            Subcommand(
                words: ["serve"], about: "Serve a data directory over HTTP; the default command",
                details: "SIGTERM stops the server. SIGHUP reloads the log settings, the origins and the rates.",
                flagGroups: [.network, .data, .limits, .signIn, .backups, .logging, .health],
                example: "serve --listen :8080 --data /var/lib/lectern --public-url https://books.example.org",
                topics: ["settings", "deployment", "limits", "monitoring"], run: serve),
            Subcommand(
                words: ["health"], about: "Check whether the server of a data directory is alive",
                details: "The exit code is 1 if it is not.",
                flagGroups: [.directory], example: "health --data /var/lib/lectern", topics: ["monitoring"],
                run: lectern.health),
            Subcommand(
                words: ["watch"], operands: "PATH…", needs: "a PATH, such as /v1/changes.",
                about: "Print changes as they happen",
                details: "Exit codes: 0 it was stopped, 3 the server ended it.",
                flagGroups: [CommandLineFlagGroup("Output", [.json, .after]), .client], example: "watch /v1/changes",
                topics: ["streams"], run: watch),
        ])

    static let accounts = SubcommandGroup(
        title: "Accounts",
        commands: [
            Subcommand(
                words: ["invite"], about: "Print a link to register, or to choose a new password",
                flagGroups: [CommandLineFlagGroup("Link", [.club, .newName, .passwordReader]), .client],
                example: "invite --club \"Sunday readers\" --name Ada", topics: ["accounts"], run: invite),
            Subcommand(
                words: ["token", "create"], about: "Create a token and print it",
                flagGroups: [CommandLineFlagGroup("Token", [.name, .tokenReader, .scope, .expires]), .client],
                example: "token create --name phone --scope read --expires 90d", topics: ["accounts"],
                run: createToken),
            Subcommand(
                words: ["token", "list"], about: "List the tokens", flagGroups: [.client], example: "token list",
                topics: ["accounts"], run: listTokens),
            Subcommand(
                words: ["token", "revoke"], operands: "ID", needs: "an ID. `lectern token list` shows them.",
                about: "Revoke a token: its requests fail, and its streams end", flagGroups: [.client],
                example: "token revoke 019ab1f4-5c1e-7000-8000-0242ac120002", topics: ["accounts"],
                run: deleteToken),
            Subcommand(
                words: ["reader", "delete"], operands: "READER", needs: "a READER: an id or a name.",
                about: "Delete a reader and their data",
                details: "READER is an id or a name. The command waits until all data is erased.",
                flagGroups: [CommandLineFlagGroup("Deletion", [.yes]), .client], example: "reader delete Ada --yes",
                topics: ["accounts"], run: deleteReader),
            Subcommand(
                words: ["admin", "recover"], operands: "[READER]", about: "Print a new token of an administrator",
                details:
                    "With READER, an id or a name, that reader first becomes an administrator, and a suspension ends.",
                flagGroups: [.directory], example: "admin recover Ada", topics: ["accounts"], run: recover),
        ])

    static let data = SubcommandGroup(
        title: "Data",
        commands: [
            Subcommand(
                words: ["import", "books"], operands: "FILE.csv", needs: "one FILE.csv.",
                about: "Import books from a CSV file with a header",
                details: "A second run changes nothing.",
                flagGroups: [CommandLineFlagGroup("Import", [.source, .dryRun]), .client],
                example: "import books goodreads_library_export.csv --dry-run", topics: ["books"], run: importBooks),
            Subcommand(
                words: ["import"], operands: "FILE", needs: "one FILE.", about: "Import a file of `lectern export`",
                details: "A second run changes nothing.",
                flagGroups: [CommandLineFlagGroup("Import", [.own, .replace]), .client],
                example: "import everything.jsonl --data new-data", topics: ["transfer"], run: importLines),
            Subcommand(
                words: ["export"], operands: "[FILE]", about: "Write all data, or one account, to a file",
                details: "Without FILE, it writes to standard output.",
                flagGroups: [CommandLineFlagGroup("Export", [.account, .own, .format, .force]), .client],
                example: "export everything.jsonl", topics: ["transfer"], run: export),
            Subcommand(
                words: ["backup"], operands: "FILE", needs: "a FILE to write; - is standard output.",
                about: "Write a copy of the database, also while it is served",
                details: "FILE must not exist; - is standard output.", flagGroups: [.directory],
                example: "backup /mnt/backups/lectern.backup", topics: ["backup"], run: backUp),
            Subcommand(
                words: ["restore"], operands: "FILE", needs: "the FILE of a backup.",
                about: "Create a data directory from a backup",
                details: "- is standard input.",
                flagGroups: [CommandLineFlagGroup("Restore", [.until, .keepTokens]), .directory],
                example: "restore /mnt/backups/lectern.backup --data new-data", topics: ["backup"], run: restore),
        ])

    static let maintenance = SubcommandGroup(
        title: "Maintenance",
        commands: [
            Subcommand(
                words: ["check"], about: "Check the database of a data directory for damage",
                details: "Stop the server first.", flagGroups: [.directory], example: "check --data /var/lib/lectern",
                topics: ["backup"], run: check),
            Subcommand(
                words: ["compact"], about: "Shrink the database file after deletions",
                details: "Stop the server first.", flagGroups: [.directory],
                example: "compact --data /var/lib/lectern", topics: ["backup"], run: compact),
        ])

    static let help = SubcommandGroup(
        title: "Help",
        commands: [
            Subcommand(
                words: ["help"], operands: "[COMMAND|TOPIC]", about: "List the commands, or explain a command or topic",
                example: "help token create", run: lectern.help),
            Subcommand(
                words: ["version"], about: "Print the versions of the program, the schema and SQLite",
                details: "`lectern -v` and `lectern --version` print only the program's.",
                example: "version", run: version),
        ])
}
