/// An error of a photo library's folders, of the watch over them or of its index.
public enum LibraryError: Error, Sendable, Hashable {
    /// A folder could not be read: its path, and the system's message.
    case folder(path: String, reason: String)
    /// A folder is not watched for changes: its path, and the system's message.
    case watch(path: String, reason: String)
    /// The index could not be written: its path, and the system's message.
    case index(path: String, reason: String)
}

extension LibraryError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .folder(let path, let reason): "\(path): \(reason)"
        case .watch(let path, let reason): "\(path) is not watched: \(reason)"
        case .index(let path, let reason): "the index \(path) could not be written: \(reason)"
        }
    }
}
