import Model

/// The rest of a response that the pipeline cannot write immediately.
enum DeferredResponse {
    case nothing
    /// A stream that is yet to begin.
    case stream(OpenStream)
    indirect case changes(Viewer, after: String, limit: Int)
    indirect case commit(PendingWrite)
    indirect case export(ExportDocument, Viewer)
    indirect case job(ResponseJob)
}
