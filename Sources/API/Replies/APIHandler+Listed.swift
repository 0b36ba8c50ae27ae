import HTTPServer
import JSON
import Model
import ObservableModels
import Store

/// Pages whose items are sent as they are held, and read only where they are not.
extension APIHandler {
    /// The representations of a kind that this loop holds, by id and version: the version that a page's snapshot names is the one
    /// that is sent, whatever else is held.
    func known(as kind: ResourceKind) -> (_ id: ResourceID, _ version: Int64) -> [UInt8]? {
        { [models] id, version in
            guard let model = models.value(kind, id), model.version == version else { return nil }
            return model.bytes
        }
    }

    /// A page; what was read for it is held for the next one.
    func encoded<Value: Resource>(_ page: Page<Listed<Value>>, scope: Scope, seq: Int64) -> EncodedPage {
        page.encoded(epoch, seq: seq) { item, json in
            switch item {
            case .known(let bytes): json.raw(bytes)
            case .read(let value):
                let bytes = value.encoded()
                models.store(Value.kind, value.id, version: value.version, bytes: bytes, scope: scope)
                json.raw(bytes)
            }
        }
    }
}
