/// Turns values into one form of output, such as JSON: what `encode(encoder:)` takes.
public protocol TopLevelEncoder: Sendable {
    /// What a value becomes.
    associatedtype Output
    /// Encodes a value.
    func encode<T: Encodable>(_ value: T) throws -> Output
}

/// Makes values of one form of input, such as JSON: what `decode(type:decoder:)` takes.
public protocol TopLevelDecoder: Sendable {
    /// What a value is made of.
    associatedtype Input
    /// Decodes a value.
    func decode<T: Decodable>(_ type: T.Type, from input: Input) throws -> T
}

extension Publisher {
    /// Encodes each value.
    ///
    ///     upstream              v-----w-----x|
    ///     encode(encoder: e)    {v}---{w}---✕
    ///
    /// Demand and thread are the upstream's. Failure: the upstream's, or the encoder's, which cancels the upstream.
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
    @inlinable @inline(__always)
    public func decode<Item: Decodable & Sendable, Coder: TopLevelDecoder>(
        type: Item.Type, decoder: Coder
    ) -> Publishers.TryMap<Self, Item> where Output == Coder.Input {
        tryMap { try decoder.decode(Item.self, from: $0) }
    }
}
