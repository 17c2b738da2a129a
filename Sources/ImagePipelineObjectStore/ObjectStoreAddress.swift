import ImagePipeline

/// The place of objects on a server, and what it asks for.
///
///     ObjectStoreAddress(
///         "https://s3.eu-central-1.amazonaws.com/bucket/images",
///         credentials: .aws(key: key, secret: secret, region: "eu-central-1"))
///     ObjectStoreAddress("http://cache.internal/images")   // nginx with DAV, or any server that takes PUT
public struct ObjectStoreAddress: Sendable, Hashable {
    /// The credentials that a server asks for.
    public enum Credentials: Sendable, Hashable {
        /// No credentials.
        case none
        /// A user and a password, by the Basic scheme.
        case basic(HTTPCredentials)
        /// A signature of each request (AWS Signature Version 4), as S3 and the servers that are compatible with it ask for.
        case aws(key: String, secret: String, region: String)
    }

    /// The URL that objects' names are appended to, behind a slash: for S3 with the bucket, in its path or its host.
    public var url: String
    /// The credentials that the server asks for.
    public var credentials: Credentials
    /// A file of the certificates to trust in place of the system's; nil for those.
    public var authorityFile: String?

    /// Creates an address; see the properties.
    ///
    /// - Parameters:
    ///   - url: The URL that objects' names are appended to.
    ///   - credentials: The credentials that the server asks for.
    ///   - authorityFile: A file of the certificates to trust; nil for the system's.
    public init(_ url: String, credentials: Credentials = .none, authorityFile: String? = nil) {
        self.url = url
        self.credentials = credentials
        self.authorityFile = authorityFile
    }
}
