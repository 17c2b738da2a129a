/// A certificate by which servers know this client.
public struct ClientCertificate: Sendable, Hashable {
    /// The path of the certificate, in PEM.
    public var certificateFile: String
    /// The path of its private key, in PEM.
    public var keyFile: String
    /// The password of the key, if it has one.
    public var keyPassword: String?

    /// Creates a certificate of these files.
    ///
    /// - Parameters:
    ///   - certificateFile: The path of the certificate, in PEM.
    ///   - keyFile: The path of its private key, in PEM.
    ///   - keyPassword: The password of the key, if it has one.
    public init(certificateFile: String, keyFile: String, keyPassword: String? = nil) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        self.keyPassword = keyPassword
    }
}
