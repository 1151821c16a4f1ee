"""The page's modules as they are written: browsers get them packed, without their names."""
import os
import re
import subprocess

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../Sources/TodoMateGateway/Web")
TABLE = re.compile(r"^export const (english|korean|\w*[wW]ords) = \{$", re.MULTILINE)
# Those of problems are a table of their own within one.
KEYS = """
const keys = (table) => Object.entries(table)
  .flatMap(([key, value]) => (key === 'problems' ? Object.keys(value).map((kind) => `${key}.${kind}`) : [key])).sort();
const { english: en, korean: ko } = made;
return Object.fromEntries(Object.entries(Object.values(made).find((each) => each.ko) ?? { en, ko })
  .filter(([, table]) => table).map(([language, table]) => [language, keys(table)]));
"""


def word_tables(page):
    """The keys of all tables of words, as `{module: {"en": keys, "ko": keys}}`."""
    tables = {}
    command = ["esbuild", "--bundle", "--format=iife", "--global-name=made", "--loader:.css=text"]
    for name in sorted(name for name in os.listdir(FOLDER) if name.endswith(".js")):
        with open(f"{FOLDER}/{name}", encoding="utf-8") as file:
            text = file.read()
        # One without a name would escape.
        assert not re.search(r"teach\(\{$", text, re.MULTILINE), name
        if TABLE.search(text):
            code = subprocess.run([*command, f"{FOLDER}/{name}"], check=True, capture_output=True, text=True).stdout
            # The largest have a module for each language.
            about = re.sub("english|korean", "", name.removesuffix(".js"), flags=re.IGNORECASE)
            tables.setdefault(about, {}).update(page.run(f"{code}\n{KEYS}"))
    return tables


def run_with(page, modules, script, *arguments):
    """Runs a script in a page, where `made` has what these modules export."""
    names = "".join(f"export * from './{module}.js';" for module in modules.split())
    command = ["esbuild", "--bundle", "--format=iife", "--global-name=made", '--define:PARTS=["/parts/page-1.html"]', "--loader:.css=text", "--log-level=error"]
    code = subprocess.run(command, check=True, capture_output=True, text=True, input=names, cwd=FOLDER).stdout
    return page.run(f"{code}\n{script}", *arguments)
