@main
enum Lectern {
    static func main() {}
}
