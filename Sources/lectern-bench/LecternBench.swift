@main
enum LecternBench {
    static func main() {}
}
