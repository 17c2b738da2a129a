import Streams
import Synchronization

/// One decode of a body, for all who want it in whatever size: they are members of the pass.
///
/// It is open to further sizes until so much has been decoded that beginning anew would be a waste; to those who want a size that it
/// makes, until its end.
final class DecodePass: Sendable {
    /// A member's place: it may move to another pass, where this one cannot give what it wants.
    struct Seat: Sendable {
        let request: ImageRequest
        let member: LoadSubscription<Image>
        /// The disposable that takes it out of its pass.
        let link = SerialDisposable()
        /// The end that the member had in the pass before, and has where this one fails.
        var otherwise: Result<ImageEvent, LoadError>?

        var rendition: Rendition {
            var rendition = request.rendition
            rendition.processors = []
            return rendition
        }
    }

    private struct State: Sendable {
        var seats = MemberList<Seat>()
        var renditions: [Rendition] = []
        /// The events that members of each rendition have got last, and the progress that all have got since.
        var newest: [Rendition: Conflation<Image>] = [:]
        var progress: ImageEvent?
        /// The bytes that had arrived when members moved here from another pass: they have been told of so many.
        var receivedBefore = 0
        var received = 0
        /// The quality of the best degraded image of each.
        var qualities: [Rendition: Double] = [:]
        var isOpen = true
        var isOver = false
    }

    let priority: SharedPriority
    let upstream = SerialDisposable()
    /// Whether sizes may be made of larger ones (``DecodeOptions/derivesFurther``).
    let derives: Bool
    private let state: Mutex<State>
    private let isCancelledMark = Atomic(false)

    /// - Parameters:
    ///   - former: the pass whose members it takes over: they have got degraded images and progress from that one, and want no worse ones and no less.
    ///   - derives: whether sizes may be made of larger ones.
    init(priority: LoadPriority.Level, after former: DecodePass? = nil, derives: Bool = true) {
        self.priority = SharedPriority(priority)
        self.derives = derives
        var state = State()
        if let former {
            (state.qualities, state.receivedBefore) = former.state.withLock {
                ($0.qualities, max($0.receivedBefore, $0.received))
            }
        }
        self.state = Mutex(state)
    }

    /// Whether nobody waits for the image any more.
    var isCancelled: Bool { isCancelledMark.load(ordering: .relaxed) }

    /// Whether somebody waits for a degraded image.
    var wantsPreview: Bool {
        state.withLock { state in
            state.seats.all.contains {
                $0.member.waitsForPreview && $0.request.previewInterest?.isWanted != false
            }
        }
    }

    /// - Returns: what the seat is left by; nil where the pass cannot give what is wanted.
    func join(_ seat: Seat) -> Int? {
        state.withLock { state in
            let rendition = seat.rendition
            guard !state.isOver, state.isOpen || state.renditions.contains(rendition) else { return nil }
            if !state.renditions.contains(rendition) { state.renditions.append(rendition) }
            if state.progress != nil || state.newest[rendition] != nil {
                var newest = state.newest[rendition] ?? Conflation()
                if let progress = state.progress { newest.keep(progress) }
                seat.member.join(with: newest)
            }
            return state.seats.append(seat)
        }
    }

    /// - Returns: whether that was the last one.
    func leave(_ id: Int) -> Bool {
        let (seat, isLast) = state.withLock { state in
            let seat = state.seats.remove(id)
            let isLast = seat != nil && state.seats.isEmpty && !state.isOver
            if isLast { state.isOver = true }
            return (seat, isLast)
        }
        withExtendedLifetime(seat) {}
        if isLast {
            isCancelledMark.store(true, ordering: .relaxed)
            upstream.cancel()
        }
        return isLast
    }

    /// The renditions to make, the largest first.
    ///
    /// - Parameter isLast: no others are let in from now on.
    func renditions(isLast: Bool) -> [Rendition] {
        let renditions = state.withLock { state in
            if isLast { state.isOpen = false }
            return state.renditions
        }
        return renditions.count < 2 ? renditions : renditions.sorted { $0.area > $1.area }
    }

    func send(_ progress: LoadProgress) {
        let event = ImageEvent.progress(progress)
        let (seats, old) = state.withLock { state in
            let old = state.progress
            state.received = progress.received
            // A body that is read once more has not arrived anew.
            if progress.received <= state.receivedBefore { return (MemberList<Seat>(), old) }
            state.progress = event
            return (state.seats, old)
        }
        withExtendedLifetime(old) {}
        for seat in seats.all { seat.member.send(event) }
    }

    /// - Parameter renditions: of the images, in their order.
    func send(_ degraded: DegradedImage, of renditions: [Rendition]) {
        var previews: [Rendition: DegradedImage] = [:]
        for case (let rendition, let preview?) in zip(renditions, [degraded] + degraded.further) {
            previews[rendition] = preview
        }
        let (seats, old) = state.withLock { state in
            let old = (state.newest, state.progress)
            state.progress = nil
            for (rendition, preview) in previews {
                // A pass that has begun anew, or takes over another one's members, makes some of them again.
                if preview.quality <= state.qualities[rendition] ?? 0 {
                    previews[rendition] = nil
                } else {
                    state.newest[rendition, default: Conflation()].keep(preview.event)
                    state.qualities[rendition] = preview.quality
                }
            }
            return (state.seats, old)
        }
        withExtendedLifetime(old) {}
        for seat in seats.all {
            if let preview = previews[seat.rendition] { seat.member.send(preview.event) }
        }
    }

    /// A damaged image is that of the largest alone: others may do without the part that is damaged.
    ///
    /// - Parameter renditions: of the images, in their order.
    /// - Returns: those whose image is not there.
    func end(_ images: [Image], of renditions: [Rendition], _ provenance: Provenance) -> [Seat] {
        let made = Dictionary(zip(renditions, images)) { first, _ in first }
        return end { seat in
            guard let image = made[seat.rendition] else { return seat }
            let event = ImageEvent.final(image, provenance)
            guard image.damage == nil || seat.rendition == renditions.first else { return seat.with(.success(event)) }
            seat.end(.success(event))
            return nil
        }
    }

    /// - Returns: members that may have more luck alone, because all together were too much, or one wanted a part that is damaged.
    func end(_ error: LoadError) -> [Seat] {
        let isAlone = state.withLock { $0.renditions.count < 2 }
        return end { seat in
            switch error {
            case .decode(.limitExceeded(.outputBytes, _, _, _)), .decode(.limitExceeded(.workingBytes, _, _, _)),
                .decode(.limitExceeded(.time, _, _, _)), .decode(.outOfMemory):
                if !isAlone { return seat }
            case .decode(.corrupt), .decode(.truncated):
                if !isAlone { return seat.with(.failure(error)) }
            default: break
            }
            seat.end(seat.otherwise ?? .failure(error))
            return nil
        }
    }

    /// - Parameter deliver: ends a member's load, or returns its seat for another pass.
    private func end(_ deliver: (Seat) -> Seat?) -> [Seat] {
        let (seats, old) = state.withLock { state in
            let old = (state.seats, state.newest)
            state.isOver = true
            state.seats = MemberList()
            state.newest = [:]
            return old
        }
        withExtendedLifetime(old) {}
        return seats.all.compactMap(deliver)
    }
}

extension DecodePass.Seat {
    fileprivate func with(_ otherwise: Result<ImageEvent, LoadError>) -> Self {
        var seat = self
        seat.otherwise = otherwise
        return seat
    }

    fileprivate func end(_ outcome: Result<ImageEvent, LoadError>) {
        switch outcome {
        case .success(let event):
            member.send(event)
            member.send(completion: .finished)
        case .failure(let error): member.send(completion: .failure(error))
        }
    }
}

extension Rendition {
    /// The size to which it brings a picture, for comparison among renditions of one; the picture's own size is the largest.
    fileprivate var area: Double {
        targetSize.map { Double($0.width) * Double($0.height) } ?? .infinity
    }
}

extension DegradedImage {
    fileprivate var event: ImageEvent { .degraded(image, quality: quality) }
}
