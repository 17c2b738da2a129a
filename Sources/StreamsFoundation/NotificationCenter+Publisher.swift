public import Foundation
public import Streams

extension NotificationCenter {
    /// Returns a publisher of the notifications of a name, and of an object if one is given.
    ///
    ///     center.publisher(for: .saved).map { $0.object as? Document }
    ///
    /// Demand: a notification that was not requested is dropped. Never fails and never ends. Thread: that of whoever posts.
    ///
    /// - Parameters:
    ///   - name: The name of the notifications.
    ///   - object: The object that posts them; nil for any.
    public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
        Publisher(center: self, name: name, object: object)
    }

    /// A publisher of notifications.
    public struct Publisher: Streams.Publisher, Equatable {
        public typealias Output = PostedNotification
        public typealias Failure = Never

        /// The center that the notifications are posted to.
        public let center: NotificationCenter
        /// The name of the notifications.
        public let name: Notification.Name
        /// The object that posts them; nil for any.
        public var object: AnyObject? { kept.value }
        private let kept: Kept<AnyObject?>

        /// Creates a publisher of notifications.
        ///
        /// - Parameters:
        ///   - center: The center that the notifications are posted to.
        ///   - name: The name of the notifications.
        ///   - object: The object that posts them; nil for any.
        public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
            self.center = center
            self.name = name
            kept = Kept(object)
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == PostedNotification, S.Failure == Never {
            let (center, name, kept) = (center, name, kept)
            AnyPublisher<PostedNotification, Never>.create(.dropNewest) { emitter in
                let token = Kept(
                    center.addObserver(forName: name, object: kept.value, queue: nil) { notification in
                        emitter.send(PostedNotification(notification))
                    })
                return Disposable { center.removeObserver(token.value) }
            }.receive(subscriber: subscriber)
        }

        public static func == (lhs: Publisher, rhs: Publisher) -> Bool {
            lhs.center === rhs.center && lhs.name == rhs.name && lhs.object === rhs.object
        }
    }
}
