import EventLoop
import Foundation
import HTTPServing
import RedisClient
import Testing
import TodoMate
import TodoMateRedis

@testable import TodoMateGateway

/// The document as far as these tests look.
private struct Document: Decodable {
    var openapi: String
    var info: Info
    var paths: [String: [String: Ignored]]

    struct Info: Decodable { var version: String }
    struct Ignored: Decodable { init(from decoder: any Decoder) {} }
}

@Suite("The OpenAPI document")
@LoopActor
struct OpenAPITests {
    @Test("describes every path and method of the API, and no other")
    func complete() throws {
        let logger = Logger(level: .error, format: .logfmt, label: "")
        let redis = RedisTodoRepository(try RedisURL("unix:///nowhere.sock"))
        defer { redis.close() }
        let gateway = Gateway(
            GatewayConfiguration(),
            stores: redis.stores,
            container: DIContainer(repository: redis),
            metrics: Metrics(logger),
            log: logger,
            readiness: { nil }
        )
        let document = try JSONDecoder().decode(Document.self, from: Data(PackageResources.openapi_json))
        #expect(document.openapi == "3.1.0")
        #expect(document.info.version == Release.version)
        let described = document.paths.mapValues { Set($0.keys).subtracting(["parameters"]) }
        // The page's own files are no part of the API.
        let isAPI = { (path: String) in path != "/" && (path == "/openapi.json" || !path.contains(".")) }
        let served = gateway.router.methods.filter { isAPI($0.key) }
            .mapValues { Set($0.map { $0.rawValue.lowercased() }) }
        #expect(described == served)
    }

    @Test("refers only to parts that it has")
    func references() throws {
        let text = String(decoding: PackageResources.openapi_json, as: UTF8.self)
        let root = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let references = text.matches(of: /"\$ref": "#\/([^"]+)"/).map { $0.1 }
        #expect(!references.isEmpty)
        for reference in Set(references) {
            var place: Any? = root
            for name in reference.split(separator: "/") { place = (place as? [String: Any])?[String(name)] }
            #expect(place != nil, "\(reference)")
        }
    }
}
