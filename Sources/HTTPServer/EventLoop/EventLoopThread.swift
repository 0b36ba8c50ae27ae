internal import CLinux
internal import Glibc

/// The objects that a loop's thread keeps alive.
final class EventLoopThread: Sendable {
    private let loop: EventLoop
    /// All loops. They refer to each other without ownership, so every thread keeps all of them alive.
    private let loops: [EventLoop]
    private let makeHandler: @Sendable (EventLoop) -> any RequestHandler

    init(
        loop: EventLoop, among loops: [EventLoop],
        makeHandler: @escaping @Sendable (EventLoop) -> any RequestHandler
    ) {
        self.loop = loop
        self.loops = loops
        self.makeHandler = makeHandler
    }

    static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let argument else { return nil }
        // SAFETY: the pointer is the one retained for this thread, taken exactly once.
        let life = Unmanaged<EventLoopThread>.fromOpaque(argument).takeRetainedValue()
        clinux_name_thread("loop \(life.loop.index)")
        withExtendedLifetime(life) { life.loop.run(life.makeHandler) }
        return nil
    }
}

/// A reference to a loop without ownership, because the first loop is in its own list.
struct UnownedEventLoop {
    unowned(unsafe) let value: EventLoop
}
