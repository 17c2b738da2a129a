/// What a decode is to give, and at what cost.
public struct DecodeOptions: Sendable {
    /// The box, in pixels of the upright picture, that the image is to fit in; its shape is kept and it is never
    /// enlarged. `nil` for full size.
    public var targetSize: PixelSize?
    public var limits: DecodeLimits
    /// Whether ``ImageDecoder/takePreview()`` gives degraded images. Without demand for them nothing is computed.
    public var previews: Bool
    /// Asked between rows, on the decoding thread; after `true` the decode ends with ``DecodeError/cancelled``.
    public var isCancelled: @Sendable () -> Bool

    public init(
        targetSize: PixelSize? = nil, limits: DecodeLimits = .safe, previews: Bool = false,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.targetSize = targetSize
        self.limits = limits
        self.previews = previews
        self.isCancelled = isCancelled
    }
}
