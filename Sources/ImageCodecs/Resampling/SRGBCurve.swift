import Files

/// sRGB's curve (IEC 61966-2-1, 5.2), of shares of the whole.
enum SRGBCurve {
    static func light(_ sample: Double) -> Double {
        sample <= 0.04045 ? sample / 12.92 : pow((sample + 0.055) / 1.055, 2.4)
    }

    static func sample(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
