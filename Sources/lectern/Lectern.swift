import API
import Glibc

@main
enum Lectern {
    static func main() throws {
        let directory = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "./lectern-data"
        let port = CommandLine.arguments.count > 2 ? UInt16(CommandLine.arguments[2]) ?? 8080 : 8080
        var configuration = Service.Configuration(directory: directory)
        configuration.logLevel = .info
        let service = try Service(configuration)
        try service.listen(tcp: "127.0.0.1", port: port)
        try service.listen(unix: directory + "/lectern.sock")
        try service.start()
        print(try service.issueAdministratorToken(name: "dev"))
        fflush(nil)
        service.wait()
    }
}
