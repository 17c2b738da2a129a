extension TransportOptions {
    /// The credentials of an origin, however it is written.
    func credentials(for url: TransferURL) -> HTTPCredentials? {
        credentials.first { (try? TransferURL($0.key))?.origin == url.origin }?.value
    }
}
