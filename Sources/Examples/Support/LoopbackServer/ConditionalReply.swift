/// What becomes of a reply under a conditional or a range request (RFC 9110, sections 13 and 14).
enum ConditionalReply {
    /// The reply that answers `request` where the plain answer would be `reply`.
    static func adjusted(_ reply: Reply, for request: Request) -> Reply {
        guard reply.status == 200, reply.answersConditions, ["GET", "HEAD"].contains(request.method) else {
            return reply
        }
        if isUnchanged(reply, request) { return notModified(reply) }
        if request.method == "GET", let range = request.header("Range"), rangeApplies(reply, request) {
            return partial(reply, range)
        }
        return reply
    }

    private static func isUnchanged(_ reply: Reply, _ request: Request) -> Bool {
        if let tags = request.header("If-None-Match") {
            guard let current = reply.headers.value("ETag") else { return false }
            // Weak comparison, section 8.8.3.2.
            return tags.split(separator: ",").map { $0.trimmed() }
                .contains { $0 == "*" || opaque($0) == opaque(current) }
        }
        guard let since = request.header("If-Modified-Since") else { return false }
        return since == reply.headers.value("Last-Modified")
    }

    private static func opaque(_ tag: String) -> Substring {
        tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    }

    private static func notModified(_ reply: Reply) -> Reply {
        var answer = reply
        answer.status = 304
        answer.body = []
        answer.headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
        return answer
    }

    /// `If-Range` wants the very same representation: a weak tag never matches (section 13.1.5).
    private static func rangeApplies(_ reply: Reply, _ request: Request) -> Bool {
        guard let validator = request.header("If-Range") else { return true }
        if validator.hasPrefix("W/") { return false }
        return validator == reply.headers.value("ETag") || validator == reply.headers.value("Last-Modified")
    }

    private static func partial(_ reply: Reply, _ range: String) -> Reply {
        let total = reply.body.count
        guard let bounds = bounds(range, total: total) else { return reply }
        var answer = reply
        guard let bounds, !bounds.isEmpty else {
            answer.status = 416
            answer.body = []
            answer.headers.append(Header("Content-Range", "bytes */\(total)"))
            return answer
        }
        answer.status = 206
        answer.body = Array(reply.body[bounds])
        answer.headers.append(
            Header("Content-Range", "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/\(total)"))
        return answer
    }

    /// `nil`: not one range that this server understands, so that it is ignored; `.some(nil)`: one outside the body.
    private static func bounds(_ text: String, total: Int) -> Range<Int>?? {
        guard text.hasPrefix("bytes=") else { return nil }
        let ends = text.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        if ends[0].isEmpty {
            guard let last = Int(ends[1]), last >= 0 else { return nil }
            return .some(max(0, total - last)..<total)
        }
        guard let first = Int(ends[0]), first >= 0 else { return nil }
        guard first < total else { return .some(nil) }
        if ends[1].isEmpty { return .some(first..<total) }
        guard let last = Int(ends[1]), last >= first else { return nil }
        return .some(first..<(min(last, total - 1) + 1))
    }
}
