/// The tags that are read or written (Exif 2.32, 4.6.2 to 4.6.6). Those of different directories do not clash.
enum ExifTag: UInt16 {
    // IFD0: the picture.
    case orientation = 0x0112
    case xResolution = 0x011A
    case yResolution = 0x011B
    case resolutionUnit = 0x0128
    case dateTime = 0x0132
    case yCbCrPositioning = 0x0213
    case exifDirectory = 0x8769
    case gpsDirectory = 0x8825

    // IFD1: its thumbnail.
    case compression = 0x0103
    case thumbnailOffset = 0x0201
    case thumbnailLength = 0x0202

    // The Exif directory: how it was taken.
    case exifVersion = 0x9000
    case dateTimeOriginal = 0x9003
    case dateTimeDigitized = 0x9004
    case componentsConfiguration = 0x9101
    case offsetTime = 0x9010
    case offsetTimeOriginal = 0x9011
    case offsetTimeDigitized = 0x9012
    case subSecTime = 0x9290
    case subSecTimeOriginal = 0x9291
    case subSecTimeDigitized = 0x9292
    case flashpixVersion = 0xA000
    case colorSpace = 0xA001
    case pixelXDimension = 0xA002
    case pixelYDimension = 0xA003

    // The GPS directory: where it was taken.
    case gpsVersion = 0x0000
    case gpsLatitudeRef = 0x0001
    case gpsLatitude = 0x0002
    case gpsLongitudeRef = 0x0003
    case gpsLongitude = 0x0004
    case gpsAltitudeRef = 0x0005
    case gpsAltitude = 0x0006
}

/// What an entry's values are (TIFF 6.0, 2).
enum TIFFType: UInt16 {
    case byte = 1
    case ascii = 2
    case short = 3
    case long = 4
    case rational = 5
    case undefined = 7
}
