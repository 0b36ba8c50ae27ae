import CLinux
import Glibc

/// A thread that does one thing.
struct OwnThread: Sendable {
    private let handle: pthread_t

    /// What a thread is to do, and how.
    private final class Work: Sendable {
        let name: String
        let isBehindOthers: Bool
        let run: @Sendable () -> Void

        init(_ name: String, _ isBehindOthers: Bool, _ run: @escaping @Sendable () -> Void) {
            (self.name, self.isBehindOthers, self.run) = (name, isBehindOthers, run)
        }
    }

    /// Begins; nil where the system has no thread to give, as where a container may have no more.
    init?(_ name: String, isBehindOthers: Bool = false, _ run: @escaping @Sendable () -> Void) {
        var started = pthread_t()
        // SAFETY: retained for that thread, which takes it exactly once, or for nobody, where there is none.
        let work = Unmanaged.passRetained(Work(name, isBehindOthers, run))
        let code = pthread_create(
            &started, nil,
            { context in
                let work = Unmanaged<Work>.fromOpaque(context!).takeRetainedValue()
                clinux_name_thread(work.name)
                if work.isBehindOthers { clinux_yield_to_others() }
                work.run()
                return nil
            }, work.toOpaque())
        guard code == 0 else {
            work.release()
            return nil
        }
        handle = started
    }

    /// Waits for its end. Once, or it is left.
    // It fails only if the thread was already joined.
    func wait() { pthread_join(handle, nil) }

    /// Nobody waits for it.
    // The same holds here.
    func leave() { pthread_detach(handle) }
}
