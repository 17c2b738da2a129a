/// What the Exif data of a file say, as it is stored: a TIFF structure, in an Exif segment after its `Exif\0\0`, or in a PNG's `eXIf`
/// chunk (Exif 2.32, 4.5 and 4.6).
struct ExifFacts: Equatable {
    /// How the picture is to be turned.
    var orientation: Orientation?
    /// Of the picture as it is stored.
    var density: PixelDensity?
    var captureDate: CaptureDate?
    var position: GeographicPosition?
}

extension ExifFacts {
    /// Reads what is sound of these bytes. A fact that is damaged is `nil`, and does no harm to the others.
    ///
    /// Three directories are read, each once: IFD0 and those of Exif and GPS data that it names. IFD1 is the thumbnail's.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        let tiff = TIFFReader(bytes: bytes)
        let picture = TIFFDirectory(tiff, at: tiff.firstDirectory)
        let exif = TIFFDirectory(tiff, at: picture.offset(.exifDirectory))
        let gps = TIFFDirectory(tiff, at: picture.offset(.gpsDirectory))
        orientation = picture.short(.orientation).flatMap { Orientation(rawValue: Int($0)) }
        density = Self.density(in: picture)
        captureDate = Self.captureDate(in: picture, exif)
        position = Self.position(in: gps)
    }

    private static func density(in picture: TIFFDirectory) -> PixelDensity? {
        let unit = picture.has(.resolutionUnit) ? picture.short(.resolutionUnit) : 2
        let perInch: Double
        switch unit {
        case 2: perInch = 1
        case 3: perInch = 2.54
        // 1 in TIFF: no unit, only the shape of a pixel.
        default: return nil
        }
        guard let x = picture.rational(.xResolution), let y = picture.rational(.yResolution) else { return nil }
        return PixelDensity(horizontal: x * perInch, vertical: y * perInch)
    }

    private static func captureDate(in picture: TIFFDirectory, _ exif: TIFFDirectory) -> CaptureDate? {
        let candidates: [(TIFFDirectory, ExifTag, fraction: ExifTag, offset: ExifTag)] = [
            (exif, .dateTimeOriginal, .subSecTimeOriginal, .offsetTimeOriginal),
            (exif, .dateTimeDigitized, .subSecTimeDigitized, .offsetTimeDigitized),
            (picture, .dateTime, .subSecTime, .offsetTime),
        ]
        for (directory, tag, fraction, offset) in candidates {
            guard let text = directory.text(tag, limit: 19) else { continue }
            let date = CaptureDate(
                exif: text, fraction: exif.text(fraction, limit: 9) ?? [], offset: exif.text(offset, limit: 6) ?? [])
            if let date { return date }
        }
        return nil
    }

    private static func position(in gps: TIFFDirectory) -> GeographicPosition? {
        guard let latitude = angle(gps, .gpsLatitude, .gpsLatitudeRef, positive: "N", negative: "S"),
            let longitude = angle(gps, .gpsLongitude, .gpsLongitudeRef, positive: "E", negative: "W")
        else { return nil }
        return GeographicPosition(latitude: latitude, longitude: longitude, altitude: altitude(in: gps))
            ?? GeographicPosition(latitude: latitude, longitude: longitude)
    }

    /// Degrees, minutes and seconds. Some files have fractions of minutes and no seconds.
    private static func angle(
        _ gps: TIFFDirectory, _ tag: ExifTag, _ reference: ExifTag, positive: Character, negative: Character
    ) -> Double? {
        guard let parts = gps.rationals(tag, count: 3), parts[1] <= 60, parts[2] <= 60,
            let letter = gps.text(reference, limit: 1)?.first
        else { return nil }
        let degrees = parts[0] + parts[1] / 60 + parts[2] / 3600
        return letter == positive.asciiValue ? degrees : letter == negative.asciiValue ? -degrees : nil
    }

    private static func altitude(in gps: TIFFDirectory) -> Double? {
        guard let metres = gps.rational(.gpsAltitude) else { return nil }
        switch gps.has(.gpsAltitudeRef) ? gps.byte(.gpsAltitudeRef) : 0 {
        case 0: return metres
        case 1: return -metres
        default: return nil
        }
    }
}
