/// A place on earth, by WGS 84 unless the file means another datum (Exif 2.32, 4.6.6).
public struct GeographicPosition: Sendable, Hashable {
    /// In degrees, north positive, -90 to 90.
    public var latitude: Double
    /// In degrees, east positive, -180 to 180.
    public var longitude: Double
    /// In metres above sea level, if known.
    public var altitude: Double?

    /// A place.
    public init(latitude: Double, longitude: Double, altitude: Double? = nil) {
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
    }
}
