import Foundation
import ImagePipeline

extension ImageRequest.Resource {
    /// Creates the resource that a URL stands for: a file, or what is loaded over HTTP.
    ///
    /// - Parameter url: A `file`, `http` or `https` URL. Any other scheme is refused by the load, with an error that says so.
    public init(_ url: URL) {
        self = url.isFileURL && Self.isLocal(url.host) ? .file(url.path) : .url(url.absoluteString)
    }

    // RFC 8089, 2: an empty host is this machine.
    private static func isLocal(_ host: String?) -> Bool {
        ["", "localhost"].contains(host?.lowercased() ?? "")
    }
}

extension ImageRequest {
    /// Creates a request for a URL.
    ///
    /// - Parameters:
    ///   - url: A `file`, `http` or `https` URL. Any other scheme is refused by the load, with an error that says so.
    ///   - rendition: The form in which the image is wanted.
    ///   - headers: The HTTP header fields to send.
    ///   - previews: A Boolean value that determines whether degraded images are delivered before the final one.
    public init(
        _ url: URL, as rendition: Rendition = .original, headers: [HTTPField] = [], previews: Bool = true
    ) {
        self.init(Resource(url), as: rendition, headers: headers, previews: previews)
    }
}
