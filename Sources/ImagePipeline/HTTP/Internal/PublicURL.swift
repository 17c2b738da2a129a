extension String {
    /// A URL as it may stand in a log: without its query, which may be a signature, and without a name and password.
    ///
    /// By scalars: a mark that combines with a sign before it hides it.
    var publicURL: String {
        let isBehind = { (scalar: Unicode.Scalar) in scalar == "?" || scalar == "#" }
        guard let colon = unicodeScalars.firstIndex(of: ":") else {
            return String(unicodeScalars.prefix { !isBehind($0) })
        }
        // Any number of slashes follows a scheme for those who load it.
        let rest = unicodeScalars[unicodeScalars.index(after: colon)...].drop { $0 == "/" || $0 == "\\" }
        let authority = rest.prefix { $0 != "/" && !isBehind($0) }
        var shown = rest
        if let user = authority.lastIndex(of: "@") {
            shown = rest[rest.index(after: user)...]
        } else if authority.last != "]", let port = authority.lastIndex(of: ":"),
            !authority[authority.index(after: port)...].allSatisfy({ ("0"..."9").contains($0) })
        {
            // A password, of which a sign that should have been encoded begins what looks like the path.
            shown = rest[(rest.lastIndex(of: "@").map { rest.index(after: $0) } ?? rest.endIndex)...]
        }
        return String(unicodeScalars[..<rest.startIndex].prefix { !isBehind($0) })
            + String(shown.prefix { !isBehind($0) })
    }
}
