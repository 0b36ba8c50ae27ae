import API
import Glibc

/// The settings of `serve` that are for who operates it.
extension Arguments {
    func logLevel() throws(Misuse) -> Log.Level {
        guard let level = Log.Level(name: self[.logLevel] ?? "") else {
            throw Misuse(message: "--log-level must be error, warning, info or debug.")
        }
        return level
    }

    func logFormat() throws(Misuse) -> LogFormat {
        guard let format = LogFormat(rawValue: self[.logFormat] ?? "") else {
            throw Misuse(message: "--log-format must be text or json.")
        }
        return format
    }

    func readiness() throws(Misuse) -> Readiness.Bounds {
        var bounds = Readiness.Bounds()
        let (bytes, overflow) = try number(.readyDisk).multipliedReportingOverflow(by: 1 << 20)
        bounds.diskBytesFreeMin = overflow ? .max : bytes
        bounds.backupHoursMax = try number(.readyBackup)
        return bounds
    }

    /// What holds while the service runs, too.
    func reloadable() throws(Misuse) -> Service.Reloadable {
        Service.Reloadable(
            logLevel: try logLevel(), logsRequests: try bool(.logRequests), origins: try origins(.allowOrigin),
            rates: try rates())
    }
}

extension Flag {
    /// What `Arguments.reloadable` reads.
    fileprivate static let reloadable = [logLevel, logRequests, allowOrigin, tokenRate, readerRate, addressRate]
        .map(\.name)
}

extension Arguments {
    /// Variables that look like settings, and are none: misspelt, mostly.
    var unknownVariables: [String] {
        let known = Set(Flag.all.map(\.variable))
        return environment.keys.filter { $0.hasPrefix("LECTERN_") && !known.contains($0) }.sorted()
    }
}

/// Takes over what the file of settings says now, and names what else has changed since the start. What is wrong with it changes nothing.
func reload(_ service: Service, _ arguments: Arguments) {
    do throws(Arguments.Misuse) {
        var renewed = arguments
        try renewed.readSettings()
        service.reload(try renewed.reloadable())
        let file =
            renewed[.settings].map { "as \($0) says" } ?? "but no file is named by --settings, so all is as it was"
        let waiting = Flag.all.filter { !Flag.reloadable.contains($0.name) && renewed[$0] != arguments[$0] }
        let rest =
            waiting.isEmpty ? "" : "; not before the next start: \(waiting.map(\.variable).joined(separator: ", "))"
        service.log.info("settings were read again, \(file)\(rest)")
    } catch {
        service.log.error("settings were not taken over: \(error.message)")
    }
}

/// The terminal that a process was started from.
struct Terminal {
    private let wasThere = Terminal.isThere

    /// Whether it was there and is gone: then a SIGHUP said that.
    var isGone: Bool {
        guard wasThere else { return false }
        // The signal may come a moment before.
        for _ in 0..<20 {
            if !Self.isThere { return true }
            usleep(10_000)
        }
        return false
    }

    private static var isThere: Bool {
        let descriptor = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        if descriptor >= 0 { close(descriptor) }
        return descriptor >= 0
    }
}
