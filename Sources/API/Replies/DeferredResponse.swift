import Model

/// The rest of a response that the pipeline cannot write immediately.
enum DeferredResponse {
    case nothing
    indirect case stream(ResolvedWatchedURL, RequestQuery, Viewer)
    /// A stream of several URLs, from the client's cursor.
    indirect case named(Model.Stream, after: String?, Viewer)
    indirect case changes(Viewer, after: String, limit: Int)
    indirect case commit(PendingWrite)
    indirect case export(ExportDocument, Viewer)
    indirect case job(ResponseJob)
}
