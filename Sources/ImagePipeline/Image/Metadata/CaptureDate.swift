/// A date and time of day as the camera's clock showed it (Exif 2.32, 4.6.5.F: DateTimeOriginal and what belongs to it).
public struct CaptureDate: Sendable, Hashable {
    public var year: Int
    /// 1 to 12.
    public var month: Int
    /// 1 to 31.
    public var day: Int
    /// 0 to 23.
    public var hour: Int
    /// 0 to 59.
    public var minute: Int
    /// 0 to 60.
    public var second: Int
    /// Of the second, less than a billion.
    public var nanosecond: Int
    /// How far the clock was ahead of UTC, in minutes. `nil` where the file does not say: most cameras know no time zone.
    public var offsetFromUTC: Int?
}
