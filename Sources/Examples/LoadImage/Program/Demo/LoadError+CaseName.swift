import ImagePipeline

extension LoadError {
    /// The name of the case, as one would write it in a `switch`.
    var caseName: String {
        switch self {
        case .unsupported: "unsupported"
        case .status: "status"
        case .busy: "busy"
        case .preparation: "preparation"
        case .notAnImage: "notAnImage"
        case .transport: "transport"
        case .file: "file"
        case .fileChanged: "fileChanged"
        case .stream: "stream"
        case .notCached: "notCached"
        case .cache: "cache"
        case .decode: "decode"
        case .value: "value"
        case .processing: "processing"
        case .timedOut: "timedOut"
        case .cancelled: "cancelled"
        }
    }
}
