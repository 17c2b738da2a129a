import Streams
import Synchronization

extension Source where Request == ImageRequest, Event == DataEvent {
    /// Decodes bytes into images as they arrive: progress, degraded images, then the final one.
    ///
    /// Requests of one body that are in flight together and differ in size alone share a pass: the body is loaded and decoded once, at the
    /// scale that the largest needs, and each gets its picture of that. Who joins when the pass has gone on for too long gets one of
    /// its own. Of a JPEG, small pictures are made of larger ones where nothing is lost by that; if it turns out that something is, as of text
    /// and line art, all but the largest begin anew in a second pass, which makes each of the decoded pixels.
    ///
    /// When the final image is there before its bytes are (`ImageDecoder.needsNoMoreBytes`), the upstream is cancelled: a
    /// thumbnail of a progressive JPEG stops its download. A cache of bodies upstream then keeps nothing, as what has come is not
    /// whole; so the last 64 KB of a transfer are waited for.
    ///
    /// A picture that is damaged in places, though all bytes of its body are there, is a final image that says so (`Image.damage`), unless
    /// its request has `DamagePolicy.refuse`. A body that lacks bytes, or may lack some as its end was not marked, fails under either policy.
    ///
    /// A body that is no image, or not a whole one, is discarded from the cache that it comes from (``DataResponse/discard``), and so is
    /// one that the cache's medium does not give back whole. If it was there before this load, the load begins anew, once. So a page
    /// that a server once sent in place of a picture fails one load, and not all that come after it.
    ///
    /// - Parameters:
    ///   - limits: The limits of a decode; a load that exceeds one fails.
    ///   - previews: A Boolean value that determines whether degraded images are made for requests that want them. They
    ///     are skipped while no subscriber waits for one, and where they would take more than a quarter of the load's time,
    ///     by the scheduler's clock; the first one is made in any case.
    ///   - decoders: The formats known.
    ///   - scheduler: The scheduler that decodes; one pass's chunks are decoded one after the other.
    public func decoded<Context: Scheduler>(
        limits: DecodeLimits = .safe, previews: Bool = true, decoders: ImageDecoders = .standard, on scheduler: Context
    ) -> some Source<ImageRequest, ImageEvent> {
        decoded(limits: limits, previews: previews, decoders: decoders, in: WorkQueue(on: scheduler))
    }

    /// Decodes bytes into images as they arrive, by the priority of their loads: progress, degraded images, then the final one.
    ///
    /// Decodes as ``decoded(limits:previews:decoders:on:)`` does, on a queue that other decorators use too: what is urgent goes before
    /// what is not, whether it is to be decoded or processed.
    ///
    /// - Parameters:
    ///   - limits: The limits of a decode; a load that exceeds one fails.
    ///   - previews: A Boolean value that determines whether degraded images are made for requests that want them.
    ///   - decoders: The formats known.
    ///   - queue: The queue that the work of decoding waits in.
    public func decoded<Context: Scheduler>(
        limits: DecodeLimits = .safe, previews: Bool = true, decoders: ImageDecoders = .standard,
        in queue: WorkQueue<Context>
    ) -> some Source<ImageRequest, ImageEvent> {
        DecodedSource(upstream: self, limits: limits, previews: previews, decoders: decoders, queue: queue)
    }
}

private final class DecodedSource<Upstream: Source<ImageRequest, DataEvent>, Context: Scheduler>: Source {
    private let upstream: Upstream
    private let limits: DecodeLimits
    private let previews: Bool
    private let decoders: ImageDecoders
    private let queue: WorkQueue<Context>
    /// The newest pass of each key.
    private let passes = Mutex<[PassKey: DecodePass]>([:])

    /// The parts of two requests that have to be equal for them to share a pass.
    private struct PassKey: Hashable {
        let data: CacheKey
        let limits: TransferLimits?
        let headers: [HTTPField]
        let caching: CachePolicy
        let rendition: Rendition

        /// Nil for bytes at hand: to compare them takes as long as they are.
        init?(_ request: ImageRequest) {
            if case .data = request.resource { return nil }
            data = request.dataKey
            limits = request.limits
            // Those too that say how a cache may answer.
            headers = request.headers
            caching = request.caching.disk
            var rendition = request.rendition
            (rendition.targetSize, rendition.contentMode, rendition.enlarges, rendition.processors) = (
                nil, .fit, false, []
            )
            self.rendition = rendition
        }
    }

    init(
        upstream: Upstream, limits: DecodeLimits, previews: Bool, decoders: ImageDecoders, queue: WorkQueue<Context>
    ) {
        self.upstream = upstream
        self.limits = limits
        self.previews = previews
        self.decoders = decoders
        self.queue = queue
    }

    func events(for request: ImageRequest) -> AnyPublisher<ImageEvent, LoadError> {
        ConflatedEvents(previews: previews && request.previews) { [self] member in
            let seat = DecodePass.Seat(request: request, member: member)
            member.bind(seat.link)
            take(seat, PassKey(request))
        }.eraseToAnyPublisher()
    }

    private func take(_ seat: DecodePass.Seat, _ key: PassKey?) {
        let level = seat.request.priority.level
        let (pass, id, isNew) = passes.withLock { passes -> (DecodePass, Int?, Bool) in
            if let key, let pass = passes[key], let id = pass.join(seat) { return (pass, id, false) }
            let pass = DecodePass(priority: level)
            let id = pass.join(seat)
            // A moment ago it was open: nobody else knows it.
            if let key { passes[key] = pass }
            return (pass, id, true)
        }
        link(seat, id, to: pass, key)
        if isNew { begin(pass, seat.request, key, isLast: false) } else { seat.member.deliver() }
    }

    private func link(_ seat: DecodePass.Seat, _ id: Int?, to pass: DecodePass, _ key: PassKey?) {
        let share = pass.priority.join(seat.request.priority)
        seat.link.set(
            Disposable { [self] in
                share.cancel()
                if let id, pass.leave(id) { forget(pass, key) }
            })
    }

    private func begin(_ pass: DecodePass, _ request: ImageRequest, _ key: PassKey?, isLast: Bool) {
        var shared = request
        shared.priority = .live(pass.priority.live)
        let link = SingleAssignmentDisposable()
        let turn = queue.turn(shared.priority, needsRoom: true)
        pass.upstream.set(
            Disposable { [weak turn] in
                link.cancel()
                turn?.waiveRoom()
            })
        let decoding = DecodingSubscriber(
            pass: pass, upstream: link, turn: turn,
            makeDecoder: { [limits, previews, decoders] renditions in
                var options = DecodeOptions(
                    as: renditions.first ?? .original, limits: limits, previews: previews,
                    isCancelled: { pass.isCancelled }, decoders: decoders)
                options.further = Array(renditions.dropFirst())
                options.derivesFurther = pass.derives
                options.pausesBeyond = WorkRoom.large
                return ContentDecoder(options: options)
            },
            receiveEnd: { [self] end, response in
                receive(end, response, of: pass, request, key, isLast: isLast)
            })
        upstream.events(for: shared).subscribe(decoding)
    }

    private func receive(
        _ end: DecodingEnd, _ response: DataResponse?, of pass: DecodePass, _ request: ImageRequest, _ key: PassKey?,
        isLast: Bool
    ) {
        switch end {
        case .images(let images, let renditions, let provenance):
            forget(pass, key)
            let others = pass.end(images, of: renditions, provenance)
            // If sizes are not made of each other, a decoder that can make several has made all of them.
            let isSound = images.first?.damage == nil
            if pass.derives, isSound { move(others, from: pass, derives: false) } else { moveApart(others, from: pass) }
        case .failure(let error):
            guard error.blamesBody, let discard = response?.discard else { return fail(pass, error, key) }
            // The load that begins anew takes its place, and may do so before there is something to put there.
            let link = SingleAssignmentDisposable()
            pass.upstream.set(link)
            link.set(
                discard().sink { [self] wasCached in
                    if wasCached, !isLast { begin(pass, request, key, isLast: true) } else { fail(pass, error, key) }
                })
        }
    }

    private func fail(_ pass: DecodePass, _ error: LoadError, _ key: PassKey?) {
        forget(pass, key)
        moveApart(pass.end(error), from: pass)
    }

    /// Gives each size a pass of its own, which nobody else joins.
    private func moveApart(_ seats: [DecodePass.Seat], from former: DecodePass) {
        for seats in Dictionary(grouping: seats, by: \.rendition).values { move(seats, from: former, derives: true) }
    }

    /// Has members begin anew in one pass, which nobody else joins.
    private func move(_ seats: [DecodePass.Seat], from former: DecodePass, derives: Bool) {
        guard let first = seats.first else { return }
        let pass = DecodePass(priority: first.request.priority.level, after: former, derives: derives)
        let members = seats.map { ($0, pass.join($0)) }
        for (seat, id) in members { link(seat, id, to: pass, nil) }
        begin(pass, first.request, nil, isLast: false)
    }

    private func forget(_ pass: DecodePass, _ key: PassKey?) {
        guard let key else { return }
        passes.withLock { passes in
            // The caller holds it: what it keeps is not let go of under the lock.
            if passes[key] === pass { passes[key] = nil }
        }
    }
}
