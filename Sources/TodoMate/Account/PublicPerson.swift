/// How a user is called and pictured, as far as a viewer may know.
///
///     {"uid":"alice","name":"Alice","face":"🦊"}
public struct PublicPerson: Sendable, Equatable, Codable {
    /// Who.
    public var uid: String
    /// How the user wants to be called; nil where nothing was chosen, nobody is there, or the viewer may not know.
    public var name: String?
    /// The emoji in place of initials; nil as above.
    public var face: String?

    /// A user as a viewer knows them.
    public init(uid: String, name: String? = nil, face: String? = nil) {
        (self.uid, self.name, self.face) = (uid, name, face)
    }

    /// The person as JSON, in exactly the spelling above.
    package var json: String { JSONObject(["uid": uid, "name": name, "face": face]).text }
}
