import Testing
import TodoMate

@Suite("The todos that a reader is shown")
struct ShownTodosTests {
    @Test("are those of a plain set, after all ways of six steps")
    func model() {
        let steps: [(id: String, isIn: Bool)] = [("a", true), ("a", false), ("b", true), ("b", false)]
        for way in 0..<4096 {
            var (shown, model) = (ShownTodos(["a"]), Set(["a"]))
            for place in 0..<6 {
                let step = steps[way >> (2 * place) & 3]
                if step.isIn {
                    shown.insert(step.id)
                    model.insert(step.id)
                } else {
                    shown.remove(step.id)
                    model.remove(step.id)
                }
                #expect(["a", "b", "c"].allSatisfy { shown.contains($0) == model.contains($0) }, "way \(way)")
            }
        }
    }
}
