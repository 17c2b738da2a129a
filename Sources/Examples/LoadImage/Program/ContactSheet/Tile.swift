import ImagePipeline

/// One picture of the contact sheet with what is written below it.
struct Tile: Sendable {
    enum Content: Sendable {
        case image(Image)
        /// A picture that was never finished, since nobody wanted it any more.
        case abandoned(Image?)
        /// No picture at all, and why.
        case failure(String)
    }

    let content: Content
    /// The first line below the picture, bright.
    let title: String
    /// The second line, less bright.
    let note: String
}
