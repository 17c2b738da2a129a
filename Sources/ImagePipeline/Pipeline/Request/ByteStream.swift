import Streams

extension ImageRequest {
    /// A stream of bytes as the place of an image: a publisher of chunks, made anew for each load.
    public struct ByteStream: Sendable, Hashable {
        /// The name of the bytes, part of every key: two streams of one name stand for the same bytes.
        public let name: String
        private let make: @Sendable () -> AnyPublisher<[UInt8], LoadError>

        /// Creates a stream of bytes from a closure.
        ///
        /// - Parameters:
        ///   - name: The name of the bytes.
        ///   - make: A closure that makes the publisher, which is subscribed to once. Its failure becomes ``LoadError/stream(reason:)`` unless it is a
        ///     `LoadError`.
        public init<Bytes: Publisher>(_ name: String, _ make: @escaping @Sendable () -> Bytes)
        where Bytes.Output == [UInt8] {
            self.name = name
            self.make = { make().mapError(LoadError.init(ofStream:)).eraseToAnyPublisher() }
        }

        /// The body, as a source delivers it: one response, then chunks, none of them empty.
        var events: AnyPublisher<DataEvent, LoadError> {
            Deferred { make() }.dataEvents
        }

        public static func == (lhs: ByteStream, rhs: ByteStream) -> Bool { lhs.name == rhs.name }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
        }
    }

    /// Creates a request for an image whose bytes a publisher delivers.
    ///
    ///     let request = ImageRequest(stream: "camera/7", as: .fit(box)) { camera.download(7) }
    ///
    /// - Parameters:
    ///   - name: The name of the bytes, part of every key: two streams of one name stand for the same bytes.
    ///   - rendition: The form in which the image is wanted.
    ///   - previews: A Boolean value that determines whether degraded images are delivered before the final one.
    ///   - make: A closure that makes the publisher of the bytes, once for each load, on the thread that begins the load: what waits in it, or in
    ///     the publisher's subscription, keeps that thread waiting, whatever the load's time limit. The publisher's demand is that of the
    ///     decoder, and a cancel of the load cancels it.
    public init<Bytes: Publisher>(
        stream name: String, as rendition: Rendition = .original, previews: Bool = true,
        _ make: @escaping @Sendable () -> Bytes
    ) where Bytes.Output == [UInt8] {
        self.init(.stream(ByteStream(name, make)), as: rendition, previews: previews)
    }
}

extension Publisher where Output == [UInt8], Failure == LoadError {
    /// Chunks as the body of a source.
    var dataEvents: AnyPublisher<DataEvent, LoadError> {
        filter { !$0.isEmpty }.map { DataEvent.chunk($0) }
            .prepend(.response(DataResponse(provenance: .data)))
            .eraseToAnyPublisher()
    }
}

extension LoadError {
    /// Returns a publisher's failure as that of a load.
    init(ofStream failure: any Error) {
        self = failure as? LoadError ?? .stream(reason: "\(failure)")
    }
}
