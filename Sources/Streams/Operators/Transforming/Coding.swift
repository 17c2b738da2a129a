/// An encoder of values into one form of output, such as JSON, for `encode(encoder:)`.
public protocol TopLevelEncoder<Output>: Sendable {
    /// The type of the output.
    associatedtype Output
    /// Returns a value encoded.
    ///
    /// - Parameter value: The value to encode.
    func encode<T: Encodable>(_ value: T) throws -> Output
}

/// A decoder of values from one form of input, such as JSON, for `decode(type:decoder:)`.
public protocol TopLevelDecoder<Input>: Sendable {
    /// The type of the input.
    associatedtype Input
    /// Returns a value decoded from input.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - input: The input to decode.
    func decode<T: Decodable>(_ type: T.Type, from input: Input) throws -> T
}

extension Publisher {
    /// Encodes each value.
    ///
    ///     upstream              v-----w-----x|
    ///     encode(encoder: e)    {v}---{w}---✕
    ///
    /// Demand and thread are the upstream's. Failure: the upstream's, or the encoder's, which cancels the upstream.
    ///
    /// - Parameter encoder: The encoder.
    @inlinable @inline(__always)
    public func encode<Coder: TopLevelEncoder>(encoder: Coder) -> Publishers.TryMap<Self, Coder.Output>
    where Output: Encodable, Coder.Output: Sendable {
        tryMap { try encoder.encode($0) }
    }

    /// Decodes each value.
    ///
    ///     upstream                            {v}---{w}---{|
    ///     decode(type: V.self, decoder: d)    v-----w-----✕
    ///
    /// Demand and thread are the upstream's. Failure: the upstream's, or the decoder's, which cancels the upstream.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - decoder: The decoder.
    @inlinable @inline(__always)
    public func decode<Item: Decodable & Sendable, Coder: TopLevelDecoder>(
        type: Item.Type, decoder: Coder
    ) -> Publishers.TryMap<Self, Item> where Output == Coder.Input {
        tryMap { try decoder.decode(Item.self, from: $0) }
    }
}

extension Publishers {
    /// Encodes each value.
    public typealias Encode<Upstream: Publisher, Coder: TopLevelEncoder> = TryMap<Upstream, Coder.Output>
    where Coder.Output: Sendable
    /// Decodes each value.
    public typealias Decode<Upstream: Publisher, Output: Decodable & Sendable, Coder: TopLevelDecoder> = TryMap<
        Upstream, Output
    > where Upstream.Output == Coder.Input
}

extension Publishers.Staged {
    /// Creates a publisher that encodes each value.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - encoder: The encoder.
    @inlinable @inline(__always)
    public init<Coder: TopLevelEncoder>(upstream: Upstream, encoder: Coder)
    where
        Logic == Stages.TryMap<Upstream.Output, Coder.Output, Upstream.Failure>, Upstream.Output: Encodable,
        Coder.Output: Sendable
    {
        self = upstream.encode(encoder: encoder)
    }

    /// Creates a publisher that decodes each value.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - decoder: The decoder.
    @inlinable @inline(__always)
    public init<Item: Decodable & Sendable, Coder: TopLevelDecoder>(upstream: Upstream, decoder: Coder)
    where Logic == Stages.TryMap<Upstream.Output, Item, Upstream.Failure>, Upstream.Output == Coder.Input {
        self = upstream.decode(type: Item.self, decoder: decoder)
    }
}
