import Testing

/// Tests that each result of a call is handled, or a comment says why not: nobody would notice an ignored error.
@Suite("Ignored results")
struct IgnoredResultTests {
    private static let modules: Set<Substring> = ["Store", "HTTPServer", "API", "Outbound", "OpenID", "Passwords"]

    @Test("Every ignored result has a comment with the reason")
    func sources() throws {
        for file in try StyleTests.sources() where Self.modules.contains(file.module) {
            for line in Self.unexplained(in: file.lines) {
                Issue.record("\(file.module)/\(file.name):\(line + 1) ignores a result: \(file.lines[line])")
            }
        }
    }

    @Test(
        "Ignored results are found",
        arguments: [
            "let a = try? b()", "_ = put(&row, cell)", "do { try a() } catch {}", "do { try a() } catch { return }",
            "fsync(descriptor)", "Glibc.close(epoll)", "defer { close(descriptor) }", "if isOld { unlink(path) }",
            "sqlite3_reset(handle)", "let a = b.map { _ = pwrite($0, c, 1, 0) }", "deinit { sqlite3_finalize(handle) }",
            "    lectern_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)",
        ])
    func found(_ line: String) {
        #expect(Self.unexplained(in: [line[...]]) == [0])
        #expect(Self.unexplained(in: ["// It cannot fail.", line[...]]).isEmpty)
        #expect(Self.unexplained(in: ["// It cannot fail.", line[...], line[...]]).isEmpty, "both are explained")
        #expect(Self.unexplained(in: ["// It cannot fail.", "let c = 1", line[...]]) == [2])
        #expect(Self.unexplained(in: ["/// Does it.", line[...]]) == [1], "that is no reason")
        #expect(Self.unexplained(in: [line[...] + " // It cannot fail."]).isEmpty)
    }

    @Test(
        "Results that are used are not reported as ignored",
        arguments: [
            "_ = try step()", "guard fsync(descriptor) == 0 else { return }", "let code = sqlite3_step(handle)",
            "return close(connection)", "write(&response)", "func close() { writer.close() }", "// try? is no good",
            "if connection.isOver { close(connection) }", "note(sqlite3_bind_null(handle, index))",
            "var key: Int64 { sqlite3_last_insert_rowid(handle) }", "let entry: Entry?", "close(id)",
        ])
    func passed(_ line: String) { #expect(Self.unexplained(in: [line[...]]).isEmpty) }

    /// Returns the lines that ignore a result without a comment. One comment explains consecutive lines.
    static func unexplained(in lines: [Substring]) -> [Int] {
        var found: [Int] = []
        var isExplained = false
        for (index, line) in lines.enumerated() {
            let text = line.drop { $0 == " " }
            if text.hasPrefix("//") {
                isExplained = !text.hasPrefix("///")
            } else if ignores(text) {
                if !isExplained, !text.contains(" // ") { found.append(index) }
            } else {
                // A comment before a block explains its first statement.
                isExplained = isExplained && text.hasSuffix("{")
            }
        }
        return found
    }

    private static func ignores(_ text: Substring) -> Bool {
        if text.contains(/\btry\?/) { return true }
        let silences = ["catch {}", "catch { return }", "catch { continue }", "catch { break }"]
        if silences.contains(where: { text.contains($0) }) { return true }
        // A statement starts at the line's start or in a block on it, whose result may be used.
        let isUsed = ["let ", "var ", "return ", "guard "].contains { text.hasPrefix($0) }
        let statements = text.split(separator: "{").map { $0.drop { $0 == " " } }
        return statements.contains { statement in
            if statement.hasPrefix("_ = ") { return !statement.hasPrefix("_ = try ") && statement.contains("(") }
            return !isUsed && isCall(statement)
        }
    }

    /// Returns whether a statement is a call of a C function, whose result Swift allows to be ignored.
    private static func isCall(_ statement: Substring) -> Bool {
        let call = statement.hasPrefix("Glibc.") ? statement.dropFirst(6) : statement
        guard let end = call.firstIndex(of: "("), call[..<end].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
        else { return false }
        let (name, argument) = (call[..<end], call[end...].dropFirst())
        // The text after the call uses its result.
        guard call.hasSuffix(")") || call.hasSuffix(") }") || call.hasSuffix("(") || call.hasSuffix(",") else {
            return false
        }
        if ambiguous.contains(name) {
            return statement.hasPrefix("Glibc.") || descriptors.contains { argument.hasPrefix($0) }
        }
        return named.contains(name)
            || prefixes.contains { name.hasPrefix($0) } && !silent.contains { name.hasPrefix($0) }
    }

    private static let named: Set<Substring> = [
        "closedir", "fsync", "fdatasync", "ftruncate", "posix_fallocate", "rename", "rmdir", "mkdir", "chmod", "fchmod",
        "chown", "fchown", "lchown", "flock", "fcntl", "pwrite", "pread", "shutdown", "setsockopt", "getsockname",
        "setrlimit", "getrlimit", "kill", "poll", "dup2", "pthread_create", "pthread_join", "pthread_detach",
    ]
    private static let prefixes = ["sqlite3_", "lectern_", "curl_", "clinux_", "sem_"]
    /// The functions whose result is no error.
    private static let silent = [
        "sqlite3_progress_handler", "sqlite3_wal_hook", "sqlite3_last_insert", "sqlite3_changes", "sqlite3_total",
        "sqlite3_column", "sqlite3_txn_state", "curl_slist", "curl_easy_cleanup", "clinux_name_thread",
        "clinux_yield_to_others", "clinux_give_to_folder", "clinux_core_count", "lectern_openapi",
        "lectern_openapi_json",
    ]
    /// The names that functions of this program have, too.
    private static let ambiguous: Set<Substring> = ["close", "write", "read", "send", "link", "unlink", "open"]
    private static let descriptors = [
        "descriptor", "wakeDescriptor", "path", "template", "made", "source", "target", "ends[", "probe", "part",
        "opened", "name",
        "directory", "folder", "output", "input", "epoll", "state.pointee.reserve",
    ]
}
