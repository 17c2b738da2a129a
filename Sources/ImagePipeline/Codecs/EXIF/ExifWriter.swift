extension ExifFacts {
    /// These facts as Exif data, which ``ExifFacts/init(_:)`` reads: big-endian, IFD0, then the Exif directory, then that of GPS data if
    /// the position is given (Exif 2.32, 4.6; tags that the standard wants of a camera are left out where nothing is known).
    func encoded() -> [UInt8] {
        let header: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
        let exif = exifDirectory
        let gps = position.map(Self.gpsDirectory)
        // Once for its length, then with the offsets that follow from it.
        let exifOffset = header.count + pictureDirectory(exif: 0, gps: gps.map { _ in 0 }).bytes(at: 0).count
        let gpsOffset = exifOffset + exif.bytes(at: 0).count
        return header
            + pictureDirectory(exif: exifOffset, gps: gps.map { _ in gpsOffset }).bytes(at: header.count)
            + exif.bytes(at: exifOffset) + (gps?.bytes(at: gpsOffset) ?? [])
    }

    private func pictureDirectory(exif: Int, gps: Int?) -> TIFFDirectoryWriter {
        var directory = TIFFDirectoryWriter()
        if let orientation { directory.add(.orientation, short: UInt16(orientation.rawValue)) }
        if let density, let x = Rational(nearest: density.horizontal), let y = Rational(nearest: density.vertical) {
            directory.add(.xResolution, [x])
            directory.add(.yResolution, [y])
            directory.add(.resolutionUnit, short: 2)
        }
        directory.add(.exifDirectory, offset: exif)
        if let gps { directory.add(.gpsDirectory, offset: gps) }
        return directory
    }

    private var exifDirectory: TIFFDirectoryWriter {
        var directory = TIFFDirectoryWriter()
        directory.add(.exifVersion, bytes: Array("0232".utf8), as: .undefined)
        guard let captureDate else { return directory }
        directory.add(.dateTimeOriginal, text: captureDate.exifText)
        if let offset = captureDate.offsetText { directory.add(.offsetTimeOriginal, text: offset) }
        let fraction = captureDate.fractionDigits
        if !fraction.isEmpty { directory.add(.subSecTimeOriginal, text: fraction) }
        return directory
    }

    private static func gpsDirectory(_ position: GeographicPosition) -> TIFFDirectoryWriter {
        var directory = TIFFDirectoryWriter()
        directory.add(.gpsVersion, bytes: [2, 3, 0, 0])
        directory.add(.gpsLatitudeRef, text: position.latitude < 0 ? "S" : "N")
        directory.add(.gpsLatitude, angle(position.latitude))
        directory.add(.gpsLongitudeRef, text: position.longitude < 0 ? "W" : "E")
        directory.add(.gpsLongitude, angle(position.longitude))
        if let altitude = position.altitude, let metres = Rational(nearest: abs(altitude)) {
            directory.add(.gpsAltitudeRef, bytes: [altitude < 0 ? 1 : 0])
            directory.add(.gpsAltitude, [metres])
        }
        return directory
    }

    /// Degrees, minutes, and seconds to the millionth: 0.03 mm.
    private static func angle(_ degrees: Double) -> [Rational] {
        let (minutes, millionths) = Int64((abs(degrees) * 3_600_000_000).rounded())
            .quotientAndRemainder(dividingBy: 60_000_000)
        return [
            Rational(UInt32(minutes / 60)), Rational(UInt32(minutes % 60)), Rational(UInt32(millionths), 1_000_000),
        ]
    }
}

extension ImageMetadata {
    /// The Exif data to write beside a file's own header; empty where there is nothing to say that `header` does not.
    func exif(beside header: HeaderDensity?) -> [UInt8] {
        let isDensitySaid = density == nil || header?.density == density
        guard captureDate != nil || position != nil || !isDensitySaid else { return [] }
        return ExifFacts(orientation: .up, density: density, captureDate: captureDate, position: position).encoded()
    }
}
