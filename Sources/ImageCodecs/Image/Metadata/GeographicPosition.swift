/// A place on earth, by WGS 84 unless the file means another datum (Exif 2.32, 4.6.6).
public struct GeographicPosition: Sendable, Hashable {
    /// The latitude in degrees, north positive, -90 to 90.
    public let latitude: Double
    /// The longitude in degrees, east positive, -180 to 180.
    public let longitude: Double
    /// The altitude in metres above sea level, if known; within ten million of it.
    public let altitude: Double?

    /// Creates a position.
    ///
    /// - Parameters:
    ///   - latitude: The latitude in degrees, north positive.
    ///   - longitude: The longitude in degrees, east positive.
    ///   - altitude: The altitude in metres above sea level, if known.
    /// - Returns: `nil` for what is no place on earth, or no number.
    public init?(latitude: Double, longitude: Double, altitude: Double? = nil) {
        guard abs(latitude) <= 90, abs(longitude) <= 180, abs(altitude ?? 0) <= 10_000_000 else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
    }
}
