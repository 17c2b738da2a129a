import ImageColour
import ImagePipeline

func requestInSRGB(_ box: PixelSize) -> ImageRequest {
    let request = ImageRequest("https://example.com/photo.jpg", as: .fit(box).processed(by: .sRGB))
    return request
}
