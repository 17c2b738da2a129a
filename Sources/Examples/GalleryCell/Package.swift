// swift-tools-version: 6.0
import PackageDescription

// A package as a user has it: copy the folder and put the library's address in place of the path.
let package = Package(
    name: "GalleryCell",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "ImageStreams", path: "../../..")
    ],
    targets: [
        .target(
            name: "GalleryCell",
            dependencies: [
                .product(name: "Streams", package: "ImageStreams"),
                .product(name: "ImagePipeline", package: "ImageStreams"),
            ],
            path: "Library"),
        .executableTarget(
            name: "gallery-cell",
            dependencies: [
                "GalleryCell",
                .product(name: "Streams", package: "ImageStreams"),
                .product(name: "ImagePipeline", package: "ImageStreams"),
                .product(name: "ExampleSupport", package: "ImageStreams"),
            ],
            path: "Program"),
    ],
    swiftLanguageModes: [.v6]
)
