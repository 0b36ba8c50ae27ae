/// An object that a stream keeps up to date.
@MainActor
protocol StreamFollower: AnyObject, Sendable {
    var state: ConnectionState { get set }
    func take(_ event: Event) throws(LecternClientError)
}

extension StreamFollower {
    /// Starts to follow a stream as long as this object exists. The stream ends at an event that cannot be understood.
    func follow(_ stream: EventStream) -> Task<Void, Never> {
        Task { [weak self] in
            let connection = EventConnection(stream)
            while let step = await connection.next() {
                // The object is retained only while it handles a step.
                guard let self else { return }
                switch step {
                case .connection(let state): self.state = state
                case .event(let event):
                    do throws(LecternClientError) { try take(event) } catch {
                        state = .ended(.failed(error))
                        return
                    }
                }
            }
        }
    }
}
