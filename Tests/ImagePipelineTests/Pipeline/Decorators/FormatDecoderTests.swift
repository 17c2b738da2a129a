import ImagePipeline
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@Suite("A format of one's own")
struct FormatDecoderTests {
    private static let decoders = ImageDecoders.standard.adding(PixmapDecoder.self)

    private func pixmap(_ image: Image) -> [UInt8] {
        Array("P6\n# a comment\n\(image.width) \(image.height)\n255\n".utf8) + image.bytes
    }

    private func options(_ target: PixelSize? = nil, _ mode: ContentMode = .fit) -> DecodeOptions {
        DecodeOptions(as: Rendition(targetSize: target, contentMode: mode), decoders: Self.decoders)
    }

    @Test("It is added in a line")
    func added() throws {
        let picture = try Pictures.gradient(5, 4)
        let file = pixmap(picture)
        let decoders = ImageDecoders.standard.adding(PixmapDecoder.self)
        let image = try Image.decode(file, options: DecodeOptions(decoders: decoders))
        let pipeline = ImageLoader.standard(decoders: decoders)
        #expect(image == picture)
        let load = RecordingSubscriber<ImageEvent, LoadError>()
        pipeline.events(for: ImageRequest(.data(file))).subscribe(load)
        #expect(load.waitForCompletion() && load.isFinished)
    }

    @Test("Its files are found out and decoded, in chunks of any size")
    func chunks() throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        let picture = try Pictures.gradient(31, 22)
        let file = pixmap(picture)
        #expect(try Image.decode(file, options: options()) == picture)
        for lengths in [1...1, 1...9, 1...300] {
            let decoder = ContentDecoder(options: options())
            var rest = file[...]
            while !rest.isEmpty {
                let chunk = rest.prefix(Int.random(in: lengths, using: &generator))
                try decoder.append(Array(chunk))
                rest = rest.dropFirst(chunk.count)
                #expect(try decoder.takePreview() == nil)
            }
            #expect(decoder.format == PixmapDecoder.format)
            let isEqual = try decoder.finish() == picture
            #expect(isEqual, "chunks of \(lengths), seed \(seed)")
        }
        // The others are found as before.
        for encoding in [ImageEncoding.jpeg, .png] {
            let file = try picture.encoded(as: encoding)
            #expect(try Image.decode(file, options: options()) == Image.decode(file))
        }
    }

    @Test(
        "It is brought into what is asked for as an image is",
        arguments: [ContentMode.fit, .exact, .fill, .fill(gravity: .topLeft), .fill(gravity: .bottom)])
    func sizes(mode: ContentMode) throws {
        let picture = try Pictures.textured(90, 130)
        let file = pixmap(picture)
        for target in [
            PixelSize(width: 20, height: 20), PixelSize(width: 33, height: 7), PixelSize(width: 200, height: 5),
        ] {
            for isLinear in [false, true] {
                var options = options(target, mode)
                (options.rendition.enlarges, options.rendition.filter, options.rendition.linearLight) = (
                    true, .mitchell, isLinear
                )
                let expected = picture.resized(
                    in: target, mode: mode, enlarges: true, filter: .mitchell, linearLight: isLinear)
                #expect(try Image.decode(file, options: options) == expected)
            }
        }
    }

    @Test("It says when what is shown is there")
    func earlyEnd() throws {
        let picture = try Pictures.textured(60, 200)
        let file = pixmap(picture)
        let mode = ContentMode.fill(gravity: .top)
        let decoder = ContentDecoder(options: options(PixelSize(width: 20, height: 20), mode))
        try decoder.append(Array(file.prefix(file.count / 2)))
        #expect(decoder.needsNoMoreBytes)
        #expect(try decoder.finish() == picture.resized(in: PixelSize(width: 20, height: 20), mode: mode))
        #expect(throws: DecodeError.alreadyFinished) { try decoder.finish() }
        #expect(throws: DecodeError.alreadyFinished) { try decoder.append([1]) }
        #expect(try decoder.takePreview() == nil)
    }

    @Test("Damaged files give typed errors, which stay")
    func damage() throws {
        let file = pixmap(try Pictures.gradient(12, 9))
        for count in 3..<file.count {
            let decoder = ContentDecoder(options: options())
            try decoder.append(Array(file.prefix(count)))
            let error = try #require(throws: DecodeError.self) { try decoder.finish() }
            if case .truncated(let location) = error {
                #expect(location.format == PixmapDecoder.format && location.byteOffset <= count)
            } else {
                Issue.record("\(error) after \(count) bytes")
            }
            #expect(throws: error) { try decoder.append(file) }
            #expect(throws: error) { try decoder.finish() }
            #expect(throws: error) { try decoder.takePreview() }
        }
        for header in ["P6 x 1 255\n", "P6 1 1 65535\n", "P6 0 1 255\n", "P6 1 0 255\n", "P6 -1 1 255\n"] {
            let error = try #require(throws: DecodeError.self) {
                try Image.decode(Array(header.utf8) + [0, 0, 0, 0, 0, 0], options: options())
            }
            switch error {
            case .corrupt, .unsupported: break
            default: Issue.record("\(error) from \(header)")
            }
        }
    }

    @Test("Limits are those of every format")
    func limits() throws {
        let file = pixmap(try Pictures.gradient(300, 200))
        let cases: [(DecodeLimits.Limit, WritableKeyPath<DecodeLimits, Int>, Int)] = [
            (.inputBytes, \.inputBytes, file.count), (.dimension, \.dimension, 300), (.pixels, \.pixels, 60_000),
            (.outputBytes, \.outputBytes, 180_000), (.workingBytes, \.workingBytes, 900),
        ]
        for (limit, path, needed) in cases {
            var options = options()
            options.limits[keyPath: path] = needed
            #expect(try Image.decode(file, options: options).width == 300)
            options.limits[keyPath: path] = needed - 1
            let error = try #require(throws: DecodeError.self) { try Image.decode(file, options: options) }
            guard case .limitExceeded(limit, needed, needed - 1, _) = error else {
                Issue.record("\(error)")
                continue
            }
        }
        let bomb = Array("P6 99999999999999999999 99999999999999999999 255\n".utf8)
        for limits in [DecodeLimits.safe, .unlimited] {
            var options = options(PixelSize(width: 10, height: 10))
            options.limits = limits
            let error = try #require(throws: DecodeError.self) { try Image.decode(bomb, options: options) }
            if case .limitExceeded = error {} else { Issue.record("\(error)") }
        }
    }

    @Test("It can be stopped between rows, and its time is counted without what it waits for")
    func watched() throws {
        let file = pixmap(try Pictures.gradient(20, 100))
        let asked = Mutex(0)
        var options = options()
        options.isCancelled = {
            asked.withLock { count in
                count += 1
                return count > 7
            }
        }
        #expect(throws: DecodeError.cancelled) { try Image.decode(file, options: options) }
        #expect(asked.withLock { $0 } == 8)

        let clock = Mutex(Duration.zero)
        options = self.options()
        options.clock = { clock.withLock { $0 } }
        options.limits.time = .milliseconds(50)
        let patient = ContentDecoder(options: options)
        for byte in file {
            try patient.append([byte])
            clock.withLock { $0 += .seconds(60) }
        }
        #expect(try patient.finish().height == 100)
        options.isCancelled = {
            clock.withLock { $0 += .milliseconds(1) }
            return false
        }
        let error = try #require(throws: DecodeError.self) { try Image.decode(file, options: options) }
        guard case .limitExceeded(.time, _, 50, let location) = error else {
            Issue.record("\(error)")
            return
        }
        #expect((50...60).contains(location.row ?? 0))
    }

    @Test("A pipeline loads it, with what its request asks for, if it is told of it")
    func pipeline() throws {
        let picture = try Pictures.textured(80, 60)
        let request = ImageRequest(
            .data(pixmap(picture)), as: Rendition(targetSize: PixelSize(width: 30, height: 30), processors: []))
        let expected = picture.resized(in: PixelSize(width: 30, height: 30))

        let loaded = RecordingSubscriber<ImageEvent, LoadError>()
        ImageLoader.standard(decoders: Self.decoders).events(for: request).subscribe(loaded)
        #expect(loaded.waitForCompletion())
        guard case .final(expected, _)? = loaded.values.last else {
            Issue.record("\(String(describing: loaded.completion))")
            return
        }

        let bytes = pixmap(picture)
        let source = AnySource<ImageRequest, DataEvent> { _ in
            bytes.map { DataEvent.chunk([$0]) }.publisher.setFailureType(to: LoadError.self).eraseToAnyPublisher()
        }
        let pushed = RecordingSubscriber<ImageEvent, LoadError>()
        source.decoded(decoders: Self.decoders, on: ImmediateScheduler.shared).events(for: request).subscribe(pushed)
        guard case .final(expected, _)? = pushed.values.last else {
            Issue.record("\(String(describing: pushed.completion))")
            return
        }

        let refused = RecordingSubscriber<ImageEvent, LoadError>()
        ImageLoader.standard().events(for: request).subscribe(refused)
        #expect(refused.waitForCompletion())
        guard case .failure(.decode(.unknownFormat))? = refused.completion else {
            Issue.record("\(String(describing: refused.completion))")
            return
        }
    }
}
