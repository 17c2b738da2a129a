#if os(Linux)
    import Files
    import TestSupport
    import Testing

    @testable import ImagePipeline

    @Suite("Folders that the system withholds", .serialized, .timeLimit(.minutes(1)))
    struct ScarceFoldersTests {
        let folder = PhotoFolder()

        @Test(
            "Without a descriptor for the watch it is a fault, everything is looked at again, and watched when there is one"
        )
        func noDescriptors() throws {
            folder.write("a.jpg")
            let watcher = try ChildProcess("photo-watcher", [folder.path, "files"])
            expect("photos: a.jpg", from: watcher)
            expect("fault: \(folder.path) is not watched: inotify_init1: Too many open files", from: watcher)
            folder.write("b.jpg")
            expect("photos: a.jpg b.jpg", from: watcher)
            watcher.kill()
        }

        @Test("A folder that is one too many for the system's watches is a fault, and found changed all the same")
        func noWatches() throws {
            guard access("/usr/bin/unshare", X_OK) == 0 else { return }
            for name in ["1", "2", "3"] { folder.makeFolder(name) }
            // The folder, `/` and `/tmp` are watched, and one of the others.
            let limit = 4
            let watcher = try ChildProcess(
                path: "/usr/bin/unshare",
                [
                    "-U", "-r", "sh", "-c", "echo \(limit) >/proc/sys/user/max_inotify_watches && exec \"$@\"", "sh",
                    ChildProcess.path(of: "photo-watcher"), folder.path,
                ])
            // Where there are no user namespaces for us it says nothing.
            guard let first = watcher.readLine() else { return }
            #expect(first == "photos: ")
            let fault = watcher.readLine()
            #expect(
                fault?.hasSuffix("is not watched: inotify_add_watch: No space left on device") == true, "\(fault ?? "")"
            )
            var line: String?
            for name in ["1", "2", "3"] {
                folder.write("\(name)/\(name).jpg")
                repeat { line = watcher.readLine() } while line?.hasPrefix("fault") == true
                #expect(line?.hasSuffix("\(name).jpg") == true, "\(line ?? "")")
            }
            watcher.kill()
        }

        @Test("Photos of a folder that must not be read leave, with a fault, and return when it may be")
        func modes() throws {
            guard getuid() == 0, access("/usr/bin/setpriv", X_OK) == 0 else { return }
            for name in ["root", "root/sub"] {
                folder.makeFolder(name)
                chmod("\(folder.path)/\(name)", 0o755)
            }
            chmod(folder.path, 0o755)
            folder.write("root/a.jpg")
            folder.write("root/sub/b.jpg")
            let watcher = try ChildProcess(
                path: "/usr/bin/setpriv",
                [
                    "--reuid=65534", "--regid=65534", "--clear-groups", ChildProcess.path(of: "photo-watcher"),
                    "\(folder.path)/root",
                ])
            let (all, denied) = ("photos: a.jpg b.jpg", ": Permission denied")
            expect(all, from: watcher)
            for (place, left, call) in [
                ("/root/sub", " a.jpg", "opendir"), ("/root", " ", "opendir"), ("", " ", "stat"),
            ] {
                // A folder that can be entered and not read, and one that cannot even be entered.
                chmod(folder.path + place, place.isEmpty ? 0 : 0o111)
                expect("photos:\(left)", from: watcher)
                let root = place.isEmpty ? "/root" : place
                expect("fault: \(folder.path)\(root): \(call)\(denied)", from: watcher)
                chmod(folder.path + place, 0o755)
                expect(all, from: watcher)
            }
            // The names can be read, and no file behind them.
            chmod("\(folder.path)/root/sub", 0o444)
            expect("photos: a.jpg", from: watcher)
            expect("fault: \(folder.path)/root/sub: fstatat\(denied)", from: watcher)
            watcher.kill()
        }

        /// Passes over all lines in front of one.
        private func expect(
            _ line: String, from watcher: borrowing ChildProcess, _ place: SourceLocation = #_sourceLocation
        ) {
            while let next = watcher.readLine() {
                if next == line { return }
            }
            Issue.record("\(line) was not told", sourceLocation: place)
        }
    }
#endif
