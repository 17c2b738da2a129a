import CLibrary
import Dispatch
import ImagePipeline
import Streams

// Loads a URL, and once more when the process is about to end and its libraries have taken themselves down.
//
//     load-at-exit URL AUTHORITY-FILE
//
// Prints a line for each of the two: the number of bytes that came, or the error.
func load() {
    var options = TransportOptions()
    options.authorityFile = CommandLine.arguments.last
    options.proxy = .none
    let isOver = DispatchSemaphore(value: 0)
    let count = SerialState(0)
    let load = HTTPSource(CurlTransport(options)).events(for: ImageRequest(CommandLine.arguments[1])).sink(
        receiveCompletion: { completion in
            if case .failure(let error) = completion { print(error) }
            isOver.signal()
        },
        receiveValue: { event in
            if case .chunk(let bytes) = event { count.withValue { $0 += bytes.count } }
        })
    isOver.wait()
    withExtendedLifetime(load) {}
    print(count.withValue { $0 })
}

// Handlers run in the order opposite to that in which they were set: this one behind those of the libraries that the first load uses.
atexit { load() }
load()
