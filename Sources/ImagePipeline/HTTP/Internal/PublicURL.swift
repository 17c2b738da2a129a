extension String {
    /// A URL as it may stand in a log: without its query, which may be a signature, and without a name and password.
    ///
    /// By scalars: a mark that combines with a sign before it hides it.
    var publicURL: String {
        let plain = unicodeScalars.prefix { $0 != "?" && $0 != "#" }
        guard let colon = plain.firstIndex(of: ":") else { return String(plain) }
        // Any number of slashes follows a scheme for those who load it.
        let rest = plain[plain.index(after: colon)...].drop { $0 == "/" || $0 == "\\" }
        guard let user = rest.prefix(while: { $0 != "/" }).lastIndex(of: "@") else { return String(plain) }
        return String(plain[..<rest.startIndex]) + String(plain[plain.index(after: user)...])
    }
}
