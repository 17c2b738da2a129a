/// An object with a publisher that sends before the object changes.
///
///     final class Settings: ObservableObject {
///         @Published var name = ""
///         @Published var isOn = false
///     }
///     settings.objectWillChange.sink { redraw() }
///
/// `objectWillChange` finds the properties that are marked `@Published`, those of superclasses included, by reflection, and
/// sends before each of their changes. An object without any calls `objectWillChange.send()` itself.
public protocol ObservableObject: AnyObject {
    /// The type of the publisher that sends before the object changes.
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never

    /// A publisher that sends before the object changes.
    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// A publisher that sends before a published property of the object changes, and when it is told to; the same each time.
    public var objectWillChange: ObservableObjectPublisher {
        if let publisher = ObjectPublishers.existing(of: self) { return publisher }
        var slots: [OwnerSlot] = []
        var mirror: Mirror? = Mirror(reflecting: self)
        while let level = mirror {
            slots += level.children.compactMap { ($0.value as? any OwnedProperty)?.owner }
            mirror = level.superclassMirror
        }
        guard let first = slots.first else { return ObjectPublishers.publisher(of: self) }
        let publisher = first.adopt(ObservableObjectPublisher())
        for slot in slots.dropFirst() { _ = slot.adopt(publisher) }
        return publisher
    }
}

/// A publisher that sends before an object changes.
public final class ObservableObjectPublisher: Publisher {
    public typealias Output = Void
    public typealias Failure = Never

    private let subject = PassthroughSubject<Void, Never>()

    /// Creates a publisher without subscribers.
    public init() {}

    /// Sends to the subscribers: the object is about to change.
    public func send() {
        subject.send()
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
        subject.receive(subscriber: subscriber)
    }
}

/// A property that belongs to an observable object.
protocol OwnedProperty {
    var owner: OwnerSlot { get }
}

extension Published: OwnedProperty {}
