"""The page's modules as they are written: browsers get them packed, without their names."""
import os
import subprocess

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../Sources/TodoMateGateway/Web")


def keys(page, *tables):
    """The keys of tables of words, `(module, name of the table)` each, together and sorted."""
    found = []
    for module, name in tables:
        command = ["esbuild", f"{FOLDER}/{module}.js", "--bundle", "--format=iife", "--global-name=made", "--loader:.css=text"]
        code = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        look = f"return Object.keys(made.{name}).filter((key) => key !== 'problems')"
        found += page.run(f"{code}\n{look}")
    return sorted(found)
