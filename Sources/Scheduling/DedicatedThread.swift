import CLinux
import Glibc

/// A dedicated thread that runs one closure.
package struct DedicatedThread: Sendable {
    private let handle: pthread_t

    private final class Work: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts the thread. Returns `nil` if the system cannot create one, for example because of a container's limit.
    package init?(_ name: String, isBehindOthers: Bool = false, _ run: @escaping @Sendable () -> Void) {
        var started = pthread_t()
        // SAFETY: the new thread takes the retained object exactly once. If no thread starts, it is released below.
        let work = Unmanaged.passRetained(
            Work {
                clinux_name_thread(name)
                if isBehindOthers { clinux_yield_to_others() }
                run()
            })
        let code = pthread_create(
            &started, nil,
            { context in
                Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().run()
                return nil
            }, work.toOpaque())
        guard code == 0 else {
            work.release()
            return nil
        }
        handle = started
    }

    /// Waits for the thread to end. Call either this or `leave()`, once.
    // It fails only if the thread was already joined.
    package func wait() { pthread_join(handle, nil) }

    /// Detaches the thread.
    // It fails only if the thread was already joined.
    package func leave() { pthread_detach(handle) }
}
