// swift-tools-version: 6.0
import PackageDescription

// A package of its own, so that nobody who builds the library builds swift-syntax.
let package = Package(
    name: "Mutator",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/swiftlang/swift-syntax", "600.0.0"..<"604.0.0")],
    targets: [
        .executableTarget(
            name: "mutator",
            dependencies: [
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftOperators", package: "swift-syntax"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
