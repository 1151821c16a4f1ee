import Foundation
import PackagePlugin

/// Packs the readable files of the page, in the target's folder `Web`, into the few that browsers get.
///
/// It does so again only when one of them has changed, was added or is gone.
@main
struct PackedPage: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = target.directoryURL.appending(path: "Web")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let output = context.pluginWorkDirectoryURL.appending(path: "PackedPage.swift")
        return [
            .buildCommand(
                displayName: "Packing the page",
                executable: try context.tool(named: "PagePacker").url,
                arguments: [folder.path, output.path],
                inputFiles: [folder] + files.sorted { $0.path < $1.path },
                outputFiles: [output]
            )
        ]
    }
}
