/// A reference to a loop without ownership, because the first loop is in its own list.
struct UnownedEventLoop {
    unowned(unsafe) let value: EventLoop
}
