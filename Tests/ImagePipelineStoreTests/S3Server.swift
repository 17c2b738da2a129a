import Files
import ImagePipelineObjectStore
import TestSupport
import Testing

/// moto's S3 server, with an empty bucket. It ends with its last reference, or with the tests' process.
final class S3Server: StoreServer {
    /// A server for all tests, which checks signatures; nil where moto is not installed.
    static let shared: S3Server? = isInstalled ? try? S3Server() : nil

    static let isInstalled: Bool = {
        let process = try? ChildProcess(path: "/usr/bin/env", ["python3", "-c", "import boto3, moto.server"])
        switch consume process {
        case .some(let process): return process.wait() == 0
        case .none: return false
        }
    }()

    let key: String
    let secret: String
    let port: Int
    var url: String { "http://127.0.0.1:\(port)/bucket" }
    private let directory = TemporaryDirectory()
    private let process: ServerProcess

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - port: Its port; nil for a free one.
    ///   - checksSignatures: Whether it serves only those who have its keys, which are others each time.
    init(port: Int? = nil, checksSignatures: Bool = true) throws {
        self.port = try port ?? Int(#require(LoopbackPort.free()))
        let path = "\(directory.path)/keys"
        let mode = checksSignatures ? "checks" : "trusts"
        process = try ServerProcess(
            path: "/usr/bin/env", ["python3", "-c", Self.program, "\(self.port)", path, mode])
        while access(path, F_OK) != 0 {
            try #require(!process.hasEnded, "moto ended")
            sched_yield()
        }
        let keys = try FileDescriptor.reading(path).read(4_096, at: 0)
        let words = String(decoding: keys, as: UTF8.self).split(separator: " ").map(String.init)
        try #require(words.count == 2)
        (key, secret) = (words[0], words[1])
    }

    func pause() { process.pause() }
    func resume() { process.resume() }

    /// The address of objects below a URL of the server.
    func address(_ url: String, secret: String? = nil) -> ObjectStoreAddress {
        ObjectStoreAddress(url, credentials: .aws(key: key, secret: secret ?? self.secret, region: "us-east-1"))
    }

    private static let program = """
        import json, logging, os, shutil, sys, time
        parent = os.getppid()
        port, path, mode = sys.argv[1:]
        # The calls that make a user need no signature; all others do.
        if mode == "checks":
            os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "3"
        logging.disable(logging.CRITICAL)
        import boto3
        from moto.server import ThreadedMotoServer
        ThreadedMotoServer(ip_address="127.0.0.1", port=int(port), verbose=False).start()
        def client(name, key, secret):
            return boto3.client(name, endpoint_url="http://127.0.0.1:" + port, region_name="us-east-1",
                aws_access_key_id=key, aws_secret_access_key=secret)
        iam = client("iam", "none", "none")
        iam.create_user(UserName="tests")
        iam.put_user_policy(UserName="tests", PolicyName="all", PolicyDocument=json.dumps({"Version": "2012-10-17",
            "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}))
        keys = iam.create_access_key(UserName="tests")["AccessKey"]
        client("s3", keys["AccessKeyId"], keys["SecretAccessKey"]).create_bucket(Bucket="bucket")
        with open(path + ".new", "w") as file:
            file.write(keys["AccessKeyId"] + " " + keys["SecretAccessKey"])
        os.rename(path + ".new", path)
        while os.getppid() == parent:
            time.sleep(0.2)
        shutil.rmtree(os.path.dirname(path), ignore_errors=True)
        os._exit(0)
        """
}
