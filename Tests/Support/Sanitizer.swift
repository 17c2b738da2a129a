import CLibrary

/// Whether this process runs under a sanitizer, which takes several bytes to watch each one that is used: what a test says
/// of memory holds without one only.
package enum Sanitizer {
    package static let isWatching = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
}
