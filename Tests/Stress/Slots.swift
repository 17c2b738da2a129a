import Dispatch
import Foundation
import ImagePipeline
import ImagePipelineTesting
import Streams
import StreamsTesting
import Synchronization

/// Slots that are loaded anew while the loads before are sent to. Every picture carries the number of its request.
enum Slots {
    /// The record of a slot: nothing wrong, nothing twice, and at the end the image that was requested last.
    private final class Screen: Sendable {
        private struct State: Sendable {
            var newest = -1
            var finals: Set<Int> = []
            var last = -1
            var fault: String?
        }

        private let state = Mutex(State())
        private let ended = DispatchSemaphore(value: 0)
        private let lastLoad: Int

        /// - Parameter lastLoad: Whose end is waited for.
        init(lastLoad: Int) {
            self.lastLoad = lastLoad
        }

        func show(_ content: ImageSlot.Content) {
            guard let load = content.request?.version.flatMap({ Int($0) }) else { return }
            state.withLock { state in
                if load < state.newest { state.fault = "load \(load) was shown after load \(state.newest)" }
                state.newest = max(state.newest, load)
                let number = content.image?.carriedNumber
                switch content.state {
                case .degraded where number != load, .final where number != load:
                    state.fault = "load \(load) was shown picture \(number ?? -1)"
                case .final where !state.finals.insert(load).inserted:
                    state.fault = "the final image of load \(load) was shown twice"
                case .failed(let error): state.fault = "load \(load) failed: \(error)"
                default: break
                }
                if content.isOver { state.last = load }
            }
            if content.isOver, load == lastLoad { ended.signal() }
        }

        /// - Parameter load: The load requested last.
        func fault(after load: Int) -> String? {
            if ended.wait(timeout: .now() + 60) == .timedOut { return "the last image, of load \(load), was not shown" }
            return state.withLock { state in
                state.fault ?? (state.last == load ? nil : "\(state.last) was shown last, not \(load)")
            }
        }
    }

    private static let contexts = ThreadPoolScheduler(width: 2)

    private static func picture(_ number: Int) -> Image {
        Image(carrying: number, size: PixelSize(width: 8, height: 4))
    }

    private static func request(_ load: Int) -> ImageRequest {
        var request = ImageRequest("https://example.com/photo.jpg")
        request.version = "\(load)"
        return request
    }

    private static func slot(
        _ source: some Source<ImageRequest, ImageEvent>, _ screen: Screen, hops: Bool
    ) -> ImageSlot {
        hops
            ? ImageSlot(source: source, on: contexts) { screen.show($0) }
            : ImageSlot(source: source, on: ImmediateScheduler()) { screen.show($0) }
    }

    /// One thread loads, the other sends to whatever loads there are.
    static func scripted(_ random: inout SeededGenerator) -> Bout {
        let inMemory = Bool.random(using: &random)
        @Sendable func isInMemory(_ number: Int) -> Bool { inMemory && number % 3 == 0 }
        let source = ScriptedSource<ImageRequest, ImageEvent>(.latest) { load in
            if let number = load.request.version.flatMap({ Int($0) }), isInMemory(number) {
                load.finish(with: picture(number), from: .memory)
            }
        }
        let loads = Int.random(in: 1...5, using: &random)
        let screen = Screen(lastLoad: loads - 1)
        let slot = slot(source, screen, hops: Bool.random(using: &random))
        let sent = Int.random(in: 1...12, using: &random)
        let keeps = Bool.random(using: &random)
        @Sendable func end(_ load: ScriptedSource<ImageRequest, ImageEvent>.Load) {
            load.finish(with: picture(load.request.version.flatMap { Int($0) } ?? -1))
        }
        return Bout(
            left: { for load in 0..<loads { slot.load(request(load), keepingImage: keeps) } },
            right: {
                for step in 0..<sent {
                    let all = source.loads
                    // What comes from memory sends its own final image: a lesser one behind it would take its place.
                    guard let load = all.last, let number = load.request.version.flatMap({ Int($0) }),
                        !isInMemory(number)
                    else { continue }
                    if step % 4 == 3 { end(load) } else { load.send(.degraded(picture(number), quality: 0.5)) }
                }
            },
            fault: {
                if let last = source.loads.last, last.isOpen { end(last) }
                let fault = screen.fault(after: loads - 1)
                slot.prepareForReuse()
                return fault ?? (source.loads.contains(where: \.isOpen) ? "a load goes on" : nil)
            })
    }

    /// The standard pipeline, that decodes and keeps some in memory; two slots want its pictures.
    private static let pipeline = ImageLoader.standard(memory: MemoryCache(costLimit: 20_000))
    private static let files: [[UInt8]] = (0..<64).map { number in
        (try? Image(carrying: number, size: PixelSize(width: 24, height: 12)).encoded(as: .png)) ?? []
    }

    static func standard(_ random: inout SeededGenerator) -> Bout {
        let first = (0..<Int.random(in: 1...4, using: &random)).map { _ in Int.random(in: 0..<64, using: &random) }
        let second = (0..<Int.random(in: 1...4, using: &random)).map { _ in Int.random(in: 0..<64, using: &random) }
        let (left, right) = (StandardSlot(first), StandardSlot(second))
        return Bout(left: left.run, right: right.run, fault: { left.fault() ?? right.fault() })
    }

    private final class StandardSlot: Sendable {
        private struct State: Sendable {
            var fault: String?
            var last = -1
        }

        private let state = Mutex(State())
        private let numbers: [Int]
        private let ended = DispatchSemaphore(value: 0)
        private let slots = Mutex<ImageSlot?>(nil)

        init(_ numbers: [Int]) {
            self.numbers = numbers
            let slot = ImageSlot(source: pipeline, on: ImmediateScheduler()) { [weak self] in self?.show($0) }
            slots.withLock { $0 = slot }
        }

        @Sendable func run() {
            for (load, number) in numbers.enumerated() {
                // The limits tell the loads apart, and are no part of what is coalesced or kept.
                var request = ImageRequest(.data(files[number]), as: .fit(PixelSize(width: 24, height: 12)))
                request.limits = TransferLimits(body: 1_000 + load * 64 + number)
                slots.withLock { $0 }?.load(request)
            }
        }

        private func show(_ content: ImageSlot.Content) {
            guard let mark = content.request?.limits.map({ $0.body - 1_000 }) else { return }
            let (load, number) = (mark / 64, mark % 64)
            state.withLock { state in
                if load < state.last { state.fault = "load \(load) was shown after \(state.last)" }
                if case .final = content.state {
                    if content.image?.carriedNumber != number { state.fault = "another picture than \(number)" }
                    if load == state.last { state.fault = "load \(load) was shown twice" }
                    state.last = load
                }
                if let error = content.error { state.fault = "load \(load) failed: \(error)" }
            }
            if content.isOver, load == numbers.count - 1 { ended.signal() }
        }

        func fault() -> String? {
            let isLost = ended.wait(timeout: .now() + 60) == .timedOut
            slots.withLock { $0 = nil }
            return isLost ? "the last image was not shown" : state.withLock { $0.fault }
        }
    }
}
