/// The operators of a sequence that need no closure of yours, worked out when they are called; their types say what is
/// left. Those that take a closure run it for each subscriber, while the values pass: unlike Combine's they make no arrays
/// on the way.
extension Publishers.Sequence {
    /// Delivers all elements as an array.
    @inlinable
    public func collect() -> Result<[Output], Failure>.Publisher {
        Result.success(Array(sequence)).publisher
    }

    /// Finishes without delivering an element.
    @inlinable
    public func ignoreOutput() -> Empty<Output, Failure> {
        Empty()
    }
}

extension Publishers.Sequence where Elements: Collection {
    /// Delivers the number of elements.
    @inlinable
    public func count() -> Result<Int, Failure>.Publisher {
        Result.success(sequence.count).publisher
    }
}

extension Publishers.Sequence where Elements: Collection, Failure == Never {
    /// Delivers the first element, if there is one.
    @inlinable
    public func first() -> Optional<Output>.Publisher {
        sequence.first.publisher
    }

    /// Delivers the number of elements.
    @inlinable
    public func count() -> Just<Int> {
        Just(sequence.count)
    }

    /// Delivers the element at an index, counted from 0; nothing where there is none.
    ///
    /// - Parameter index: The index of the value, counted from 0.
    @inlinable
    public func output(at index: Int) -> Optional<Output>.Publisher {
        index < 0 ? Output?.none.publisher : sequence.dropFirst(index).first.publisher
    }
}

extension Publishers.Sequence where Elements: RangeReplaceableCollection {
    /// Delivers the elements followed by others.
    ///
    /// - Parameter elements: The elements to deliver.
    @inlinable
    public func append(_ elements: Output...) -> Publishers.Sequence<Elements, Failure> {
        append(elements)
    }

    /// Delivers the elements followed by others.
    ///
    /// - Parameter elements: The elements to deliver.
    @inlinable
    public func append(_ elements: [Output]) -> Publishers.Sequence<Elements, Failure> {
        Publishers.Sequence(sequence: sequence + elements)
    }

    /// Delivers the elements followed by others.
    ///
    /// - Parameter elements: The elements to deliver.
    @inlinable
    public func append<S: Swift.Sequence>(_ elements: S) -> Publishers.Sequence<Elements, Failure>
    where S.Element == Output {
        Publishers.Sequence(sequence: sequence + elements)
    }

    /// Delivers the elements preceded by others.
    ///
    /// - Parameter elements: The elements to deliver.
    @inlinable
    public func prepend(_ elements: Output...) -> Publishers.Sequence<Elements, Failure> {
        prepend(elements)
    }

    /// Delivers the elements preceded by others.
    ///
    /// - Parameter elements: The elements to deliver.
    @inlinable
    public func prepend(_ elements: [Output]) -> Publishers.Sequence<Elements, Failure> {
        Publishers.Sequence(sequence: elements + sequence)
    }

    /// Delivers the elements preceded by others.
    ///
    /// - Parameter elements: The elements to deliver.
    @inlinable
    public func prepend<S: Swift.Sequence>(_ elements: S) -> Publishers.Sequence<Elements, Failure>
    where S.Element == Output {
        Publishers.Sequence(sequence: elements + sequence)
    }
}
