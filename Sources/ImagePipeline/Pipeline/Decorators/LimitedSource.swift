import Streams

extension Source {
    /// Limits the number of loads that run at once: in all, and within each group.
    ///
    /// A load that waits has not touched the upstream: no descriptor, no thread, no bytes. Higher priorities go first, and among equals
    /// the first to come; a group that is full holds up no other. Cancelling a load that waits costs nothing. A load holds its
    /// place until it ends or is cancelled, also without demand.
    ///
    /// - Parameters:
    ///   - limit: The number of loads that may run at once.
    ///   - perGroup: The number of loads of one group that may run at once.
    ///   - group: Returns the group of a request; nil for one that only the limit of all bounds.
    ///   - priority: Returns the priority of a request.
    public func limited<Group: Hashable & Sendable>(
        to limit: Int, perGroup: Int = .max, by group: @escaping @Sendable (Request) -> Group?,
        priority: @escaping @Sendable (Request) -> LoadPriority = { _ in .normal }
    ) -> some Source<Request, Event> {
        let gate = AdmissionGate<Group>(limit: limit, perGroup: perGroup)
        return AnySource<Request, Event> { [self] request in
            gate.admitting(group(request), priority: priority(request)) { events(for: request) }
        }
    }
}

extension Source where Request == ImageRequest {
    /// Limits the number of loads that run at once: in all, and from each origin (scheme, host and port), by
    /// ``ImageRequest/priority``.
    ///
    ///     HTTPSource(transport).limited(to: 32, perHost: 6)
    ///
    /// A load that waits has not touched the upstream: no descriptor, no thread, no bytes. Higher priorities go first, and among equals
    /// the first to come; a host that is slow holds up no other, as long as there are other places. Cancelling a load that waits
    /// costs nothing. A load holds its place until it ends or is cancelled, also without demand.
    ///
    /// - Parameters:
    ///   - limit: The number of loads that may run at once.
    ///   - perHost: The number of loads from one origin that may run at once; a resource that is not a URL counts
    ///     towards `limit` alone.
    public func limited(to limit: Int, perHost: Int = .max) -> some Source<ImageRequest, Event> {
        limited(to: limit, perGroup: perHost, by: { $0.origin }, priority: { $0.priority })
    }
}

extension ImageRequest {
    /// The part of a URL that says whom it is asked of; nil for what is no URL. It is the one that the transport connects to; of a URL that
    /// it does not load, the scheme and what is written behind it, in lower case. By scalars: a mark that combines with a slash hides it.
    fileprivate var origin: String? {
        guard case .url(let url) = resource else { return nil }
        if let url = try? TransferURL(url) { return url.origin }
        let scalars = url.unicodeScalars
        guard let scheme = scalars.firstRange(of: "://".unicodeScalars) else { return url }
        let authority = scalars[scheme.upperBound...].prefix { !"/?#\\".unicodeScalars.contains($0) }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return "\(url[..<scheme.lowerBound])://\(Substring(host))".lowercased()
    }
}
