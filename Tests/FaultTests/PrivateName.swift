import Foundation

/// A host name of the loopback address that resolves, or not, for those processes alone that get its environment.
///
/// The nss_wrapper library stands before the C library's resolver and reads a hosts file of ours. Nothing of the system
/// is changed, and no privilege is needed.
final class PrivateName {
    private let name: String
    private let file: URL
    /// The library looks again when the file's time, in whole seconds, is another.
    private var changes = 0

    init(_ name: String, in folder: URL, number: Int) throws {
        self.name = name
        file = folder.appending(path: "hosts-\(number)")
        try setResolves(true)
    }

    var environment: [String: String] {
        // Bound deeply, as it is otherwise, sanitizers would end the program.
        ["LD_PRELOAD": "libnss_wrapper.so", "NSS_WRAPPER_HOSTS": file.path, "NSS_WRAPPER_DISABLE_DEEPBIND": "1"]
    }

    func setResolves(_ resolves: Bool) throws {
        changes += 1
        let lines = "127.0.0.1 localhost\n" + (resolves ? "127.0.0.1 \(name)\n" : "")
        // In place: the library keeps the file open.
        try Data(lines.utf8).write(to: file)
        let time = Date(timeIntervalSince1970: 1_790_000_000 + Double(changes))
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: file.path)
    }
}
