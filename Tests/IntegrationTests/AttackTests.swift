import Testing

/// Attacks on real worker processes, one after another: each wants the machine for itself.
@Suite("Attacks", .serialized)
enum AttackTests {}
