import HTTPServer
import Model
import ObservableModels
import Store

/// The routes of scenes, in which a reader's devices store their state.
extension Route {
    static let scenes: [Route] = [
        Route(.get, "/v1/scenes", "listScenes", parameters: paged("device"), watching: .whole) {
            call throws(RequestError) in
            let device = call.query.text("device")
            guard device.map(ClientSceneKey.isName) ?? true else {
                throw call.query.refusal("device", "must be \(ClientSceneKey.rule)")
            }
            return try call.list(ReadConnection.scenes, where: .having("device", device))
        },
        Route(.get, "/v1/scenes/{device}/{name}", "getScene", watching: .whole) { call throws(RequestError) in
            guard let id = call.sceneKey?.id(of: call.viewer.reader) else { throw .notFound }
            let store = call.service.store
            return try call.one(id) { reads throws(RequestError) in
                let scene = try reads.scene(id)
                // If the writer's queue is full, the day is stored at the next fetch.
                if let scene, scene.usedOn.number < store.today { store.submitInBackground(.useScene(id)) }
                return scene
            }
        },
        Route(.put, "/v1/scenes/{device}/{name}", "putScene", inBatches: true) { call throws(RequestError) in
            guard let place = call.sceneKey else {
                throw .refused(.invalidName, "The name of a device or scene must be \(ClientSceneKey.rule).")
            }
            let path = "/v1/scenes/\(place.device)/\(place.name)"
            return .commit(.putScene(place, try ClientSceneDraft(call.json())), location: .at(path))
        },
        Route(.delete, "/v1/scenes/{device}/{name}", "deleteScene", inBatches: true) { call throws(RequestError) in
            guard let place = call.sceneKey else { throw .notFound }
            return .commit(.deleteScene(place))
        },
    ]
}

extension RouteCall {
    /// The scene in the path, or `nil` if its names are invalid.
    fileprivate var sceneKey: ClientSceneKey? {
        guard let device = text(0), let name = text(1) else { return nil }
        return ClientSceneKey(device: device, name: name)
    }
}
