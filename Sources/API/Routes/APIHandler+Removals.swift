import HTTPServer
import Model
import ObservableModels
import Store

/// Who was taken out of a club.
extension APIHandler {
    func deleteRemoval(
        _ id: ResourceID, _ removal: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        try commit(.liftRemoval(removal, from: id), request, viewer, &response)
    }
}
