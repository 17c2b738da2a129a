extension ImageSlot {
    /// A state of a slot.
    public enum State: Sendable {
        /// The state before the first load, and after the slot was made ready for reuse.
        case empty
        /// The state of a load of which no image has come.
        case placeholder
        /// A preview is shown; its quality grows from 0 towards 1.
        case degraded(quality: Double)
        /// The final image is shown, from this stage.
        case final(Provenance)
        /// The load has failed, with this error.
        case failed(LoadError)
    }

    /// The content of a slot: what to show, and why.
    public struct Content: Sendable {
        /// The state that the slot has come to.
        public var state: State
        /// The image to display: loaded, kept from the request before, the placeholder or the failure image; nil for none.
        public var image: Image?
        /// The request that is being shown; nil where the slot is empty.
        public var request: ImageRequest?
        /// The number of bytes that have arrived, where the load has reported it.
        public var progress: LoadProgress?
        /// A Boolean value that indicates whether nothing else was shown between the beginning of the load and this: an image that comes
        /// at once is best shown without a transition.
        public var cameAtOnce: Bool

        /// Creates a content; see the properties.
        ///
        /// - Parameters:
        ///   - state: The state that the slot has come to.
        ///   - image: The image to show.
        ///   - request: The request that is being shown.
        ///   - progress: The number of bytes that have arrived.
        ///   - cameAtOnce: A Boolean value that indicates whether nothing else was shown between the beginning of the load and this.
        public init(
            _ state: State, image: Image? = nil, request: ImageRequest? = nil, progress: LoadProgress? = nil,
            cameAtOnce: Bool = false
        ) {
            self.state = state
            self.image = image
            self.request = request
            self.progress = progress
            self.cameAtOnce = cameAtOnce
        }

        /// The error that the load has failed with; nil in every other state.
        public var error: LoadError? {
            if case .failed(let error) = state { error } else { nil }
        }

        /// A Boolean value that indicates whether nothing more comes of the request: its final image is there, or it has failed.
        public var isOver: Bool {
            switch state {
            case .final, .failed: true
            case .empty, .placeholder, .degraded: false
            }
        }
    }
}
