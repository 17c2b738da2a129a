public import Foundation

/// A notification that was posted.
///
/// Its object and its user information are the poster's: whoever reads them on another thread counts on the poster for that.
public struct PostedNotification: Sendable, CustomStringConvertible {
    private let kept: Kept<Notification>

    /// Wraps a notification.
    ///
    /// - Parameter notification: The notification.
    public init(_ notification: Notification) {
        kept = Kept(notification)
    }

    /// The notification itself.
    public var notification: Notification { kept.value }
    /// The name of the notification.
    public var name: Notification.Name { kept.value.name }
    /// The object that has posted it, if it was given.
    public var object: Any? { kept.value.object }
    /// The dictionary of user information that was posted with it, if any.
    public var userInfo: [AnyHashable: Any]? { kept.value.userInfo }

    public var description: String { kept.value.description }
}
