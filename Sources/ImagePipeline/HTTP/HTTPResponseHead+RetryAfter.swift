extension HTTPResponseHead {
    /// Returns the time after which a server that is busy wants to be asked again (RFC 9110, 10.2.3); nil for other answers.
    ///
    /// - Parameter now: The time since 1970 at which the answer has come.
    func retryAfter(at now: Duration) -> Duration? {
        guard [429, 503].contains(status), let text = self["retry-after"].first else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) {
            // More digits than a number holds are a long time, too.
            return .seconds(min(Int(text) ?? .max, 31_536_000))
        }
        guard let later = HTTPDate.seconds(text) else { return nil }
        // A moment counts from the one at which the server has answered, by its own clock if it tells it.
        let answered = self["date"].first.flatMap(HTTPDate.seconds) ?? Int(now.components.seconds)
        return .seconds(max(0, later - answered))
    }
}
