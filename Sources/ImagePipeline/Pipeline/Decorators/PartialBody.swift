import Streams

/// The facts about the beginning of a body that is on disk. Who waits for the rest does not hold the file.
struct PartialBody: Sendable {
    /// The response that it is the beginning of.
    private let stored: StoredResponse
    /// The number of bytes that are there.
    let length: Int
    /// The length of the whole body.
    let total: Int
    /// The strong entity tag of the response.
    let entityTag: String
    private let removal: @Sendable () -> Void

    /// - Returns: nil for what cannot be continued.
    init?(_ entry: DiskEntry) {
        guard let stored = StoredResponse(metadata: entry.metadata), let tag = stored.strongTag,
            let total = stored.values("content-length").first.flatMap({ Int($0) }), entry.bodyLength < total
        else { return nil }
        (self.stored, self.total) = (stored, total)
        (length, entityTag, removal) = (entry.bodyLength, tag, { [removal = entry.removal] in try? removal() })
    }

    var resumption: HTTPResumption { HTTPResumption(offset: length, entityTag: entityTag) }

    /// Returns the way in which it is served as it is; nil if its server has to be asked first.
    func served(to request: [HTTPField], at now: Duration) -> ServedBody? {
        guard stored.matches(request), stored.use(for: request, at: now) == .serve else { return nil }
        var provenance = Provenance(.disk, freshFor: stored.statedFreshness(at: now))
        provenance.asked = AskingTime(noted: stored.requestTime)
        return ServedBody(provenance: provenance)
    }

    /// Returns the response of the whole body, if the one that has come brings the rest of it.
    func whole(of response: DataResponse, _ head: HTTPResponseHead) -> DataResponse? {
        guard resumption.isContinued(by: head, to: total),
            let merged = stored.confirmed(by: head, requestTime: stored.requestTime, responseTime: stored.responseTime)
        else { return nil }
        let whole = HTTPResponseHead(
            status: 200, headers: merged.headers, contentLength: total, isDelimited: true, redirects: head.redirects)
        var joined = response
        (joined.status, joined.head, joined.expectedLength) = (200, whole, total)
        joined.contentType = whole["content-type"].first
        return joined
    }

    /// Returns the bytes behind a response; nil if they are not there any more.
    func events(after response: DataResponse, from entry: DiskEntry?) -> AnyPublisher<DataEvent, LoadError>? {
        guard let entry, entry.bodyLength == length, StoredResponse(metadata: entry.metadata) == stored else {
            return nil
        }
        return ChunkSequence(size: length) { try entry.chunk(at: $0.lowerBound) }
            .events(after: response) { .cache(reason: "\($0)") }
    }

    /// Removes it from the disk, unless another one has taken its place.
    func remove() {
        removal()
    }
}

extension StoredResponse {
    /// The entity tag, if there is one and it is strong: equal tags then mean equal bytes (RFC 9110, 8.8.1).
    var strongTag: String? {
        guard values("etag").count == 1, let tag = values("etag").first, tag.utf8.count > 2, tag.hasPrefix("\""),
            tag.hasSuffix("\"")
        else { return nil }
        return tag
    }
}
