/// The treatment of colours that the target of a conversion does not have (ICC.1:2010, 0.3).
public enum RenderingIntent: String, Sendable, Hashable, CaseIterable {
    /// Compresses the whole gamut, so that differences between colours stay; for profiles that have tables for it.
    case perceptual
    /// Colours that the target has stay as they are, beside white; others become the nearest. Black becomes black.
    case relativeColorimetric = "relative"
    /// Saturation is kept before hue and lightness, as for charts.
    case saturation
    /// Colours stay as they are, white included: white paper looks yellow.
    case absoluteColorimetric = "absolute"
}
