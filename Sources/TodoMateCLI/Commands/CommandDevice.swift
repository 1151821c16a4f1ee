import Foundation
import TodoMate

extension WritingDevice {
    /// This program, where it works with Redis itself: `todomate on laptop`.
    static let thisCommand: WritingDevice? = {
        var buffer = [CChar](repeating: 0, count: 256)
        let host = gethostname(&buffer, buffer.count - 1) == 0 ? buffer.prefix { $0 != 0 && $0 != 0x2E } : []
        let name = String(decoding: host.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return (name.isEmpty ? nil : WritingDevice(String("todomate on \(name)".prefix(longest))))
            ?? WritingDevice("todomate")
    }()
}
