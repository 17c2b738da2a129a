extension String {
    /// A URL as it may stand in a log: without its query, which may be a signature, and without a name and password. Where it cannot be
    /// told what of it is the password, with less.
    ///
    /// By scalars: a mark that combines with a sign before it hides it.
    var publicURL: String {
        let isBehind = { (scalar: Unicode.Scalar) in scalar == "?" || scalar == "#" }
        let isDigit = { (scalar: Unicode.Scalar) in ("0"..."9").contains(scalar) }
        guard let colon = unicodeScalars.firstIndex(of: ":") else {
            return String(unicodeScalars.prefix { !isBehind($0) })
        }
        // Any number of slashes follows a scheme for those who load it.
        let rest = unicodeScalars[unicodeScalars.index(after: colon)...].drop {
            $0 == "/" || $0 == "\\" || $0.value <= 32
        }
        let authority = rest.prefix { $0 != "/" && !isBehind($0) }
        let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        // A sign of the password that should have been encoded begins what looks like the path, or like the place.
        let port = place.first == "[" ? nil : place.lastIndex(of: ":").map { place[place.index(after: $0)...] }
        // A second scheme in front of the first looks like a place without a port.
        let isScheme = port?.isEmpty == true && rest[place.endIndex...].starts(with: "//".unicodeScalars)
        let hasOddPort = port.map { !$0.allSatisfy(isDigit) } ?? false || isScheme && rest.contains("@")
        let hasPassword = authority[..<place.startIndex].contains(":")
        // A name that no scheme stands before looks like one.
        let isName =
            !hasPassword && unicodeScalars.index(after: colon) == rest.startIndex
            && !place.allSatisfy(isDigit) && rest.contains("@")
        let shown =
            if hasOddPort || isName {
                rest.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest.suffix(0)
            } else if hasPassword, rest[place.startIndex...].contains("@") {
                rest.suffix(0)
            } else {
                rest[place.startIndex...]
            }
        let scheme = unicodeScalars[..<(isName ? unicodeScalars.startIndex : rest.startIndex)]
        return String(scheme.prefix { !isBehind($0) }) + String(shown.prefix { !isBehind($0) })
    }
}
