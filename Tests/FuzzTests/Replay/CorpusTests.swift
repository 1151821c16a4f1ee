import Foundation
import Testing

@Suite("The parsers that face the outside")
struct CorpusTests {
    @Test("keep their promises for every input that fuzzing found worth keeping", arguments: FuzzTarget.all)
    func replay(_ target: FuzzTarget) throws {
        let corpus = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(components: "Corpus", target.name)
        let files = try FileManager.default.contentsOfDirectory(at: corpus, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files {
            let bytes = Array(try Data(contentsOf: file))
            #expect(throws: Never.self, "\(target.name)/\(file.lastPathComponent)") { try target.check(bytes) }
        }
        #expect(throws: Never.self, "no bytes at all") { try target.check([]) }
    }

    @Test("have a target for each folder of the corpus")
    func folders() throws {
        let corpus = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(component: "Corpus")
        let folders = try FileManager.default.contentsOfDirectory(atPath: corpus.path)
        #expect(Set(folders) == Set(FuzzTarget.all.map(\.name)))
    }
}
