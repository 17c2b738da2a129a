extension ExifFacts {
    /// These facts as Exif data, which ``ExifFacts/init(_:)`` reads: big-endian, IFD0, then the Exif directory, then that of GPS data if
    /// the position is given (Exif 2.32, 4.6; tags that the standard wants of a camera are left out where nothing is known).
    ///
    /// - Parameter frame: of the JPEG that they stand in, in which the standard wants more tags than elsewhere.
    func encoded(frame: JPEGFrameFacts? = nil) -> [UInt8] {
        let header: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
        let exif = exifDirectory(frame)
        let gps = position.map(Self.gpsDirectory)
        // Once for its length, then with the offsets that follow from it.
        let exifOffset = header.count + pictureDirectory(frame, exif: 0, gps: gps.map { _ in 0 }).bytes(at: 0).count
        let gpsOffset = exifOffset + exif.bytes(at: 0).count
        return header
            + pictureDirectory(frame, exif: exifOffset, gps: gps.map { _ in gpsOffset }).bytes(at: header.count)
            + exif.bytes(at: exifOffset) + (gps?.bytes(at: gpsOffset) ?? [])
    }

    private func pictureDirectory(_ frame: JPEGFrameFacts?, exif: Int, gps: Int?) -> TIFFDirectoryWriter {
        var directory = TIFFDirectoryWriter()
        if let orientation { directory.add(.orientation, short: UInt16(orientation.rawValue)) }
        if let density, let x = Rational(nearest: density.horizontal), let y = Rational(nearest: density.vertical) {
            directory.add(.xResolution, [x])
            directory.add(.yResolution, [y])
            directory.add(.resolutionUnit, short: 2)
        } else if frame != nil {
            // Of no unit: pixels are square.
            directory.add(.xResolution, [Rational(1)])
            directory.add(.yResolution, [Rational(1)])
            directory.add(.resolutionUnit, short: 1)
        }
        // Colour stands between the samples of brightness, where libjpeg puts it.
        if frame != nil { directory.add(.yCbCrPositioning, short: 1) }
        directory.add(.exifDirectory, offset: exif)
        if let gps { directory.add(.gpsDirectory, offset: gps) }
        return directory
    }

    private func exifDirectory(_ frame: JPEGFrameFacts?) -> TIFFDirectoryWriter {
        var directory = TIFFDirectoryWriter()
        directory.add(.exifVersion, bytes: Array("0232".utf8), as: .undefined)
        if let frame {
            directory.add(.componentsConfiguration, bytes: frame.isGrey ? [1, 0, 0, 0] : [1, 2, 3, 0], as: .undefined)
            directory.add(.flashpixVersion, bytes: Array("0100".utf8), as: .undefined)
            directory.add(.colorSpace, short: frame.isSRGB ? 1 : 0xFFFF)
            directory.add(.pixelXDimension, short: UInt16(clamping: frame.size.width))
            directory.add(.pixelYDimension, short: UInt16(clamping: frame.size.height))
        }
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

/// The facts that the Exif data of a JPEG must state about its own frame (Exif 2.32, 4.6.8: "mandatory" for compressed data).
struct JPEGFrameFacts {
    let size: PixelSize
    let isGrey: Bool
    /// No profile says anything else.
    let isSRGB: Bool
}

extension ImageMetadata {
    /// The Exif data to write beside a file's own header; empty where there is nothing to say that `header` does not.
    ///
    /// - Parameter frame: if the file is a JPEG.
    func exif(beside header: HeaderDensity?, frame: JPEGFrameFacts? = nil) -> [UInt8] {
        let isDensitySaid = density == nil || header?.density == density
        guard captureDate != nil || position != nil || !isDensitySaid else { return [] }
        return ExifFacts(orientation: .up, density: density, captureDate: captureDate, position: position)
            .encoded(frame: frame)
    }
}
