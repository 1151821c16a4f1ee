"""Shrinks the data of the ICU that is linked into every static Swift program, inside its archive.

Of its 34 MB TodoMate uses time zones, the calendar and Unicode's normal forms. This leaves out the names and collations of
other languages, and encodings other than Unicode's: nothing that TodoMate shows or reads comes from there.

usage: trim_icu.py ARCHIVE      such as …/usr/lib/swift_static/linux/lib_FoundationICU.a

The format is ICU's "common data", source/common/ucmndata.h and udata.h: a header, then a table of contents, which are the
number of items and for each the offsets of its name and of its data, sorted by name; then names and data.
"""

import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

MEMBER = "icu_packaged_data.cpp.o"
LEFT_OUT = re.compile(r"[^/]+/((brkitr|coll|curr|lang|rbnf|region|translit|unit|zone)/.*|.*\.cnv|cnvalias\.icu)")
# A language's own names of months and the like, except the fallback of all of them.
LANGUAGE = re.compile(r"[^/]+/(?!root|en|ko)[a-z]{2,3}(_\w+)?\.res")


def trimmed(data):
    header = struct.unpack_from("<H", data)[0]
    if data[12:16] != b"CmnD" or data[8] != 0:
        raise ValueError("this is not ICU's common data, little-endian")
    count = struct.unpack_from("<I", data, header)[0]
    table = [struct.unpack_from("<II", data, header + 4 + 8 * index) for index in range(count)]
    ends = [start for _, start in table[1:]] + [len(data) - header]
    items = []
    for (name, start), end in zip(table, ends):
        text = data[header + name : data.index(b"\0", header + name)].decode()
        if not LEFT_OUT.fullmatch(text) and not LANGUAGE.fullmatch(text):
            items.append((text, data[header + start : header + end]))
    names = b"".join(text.encode() + b"\0" for text, _ in items)
    place = 4 + 8 * len(items)
    position = place + len(names)
    position += -position % 16
    contents, bodies = struct.pack("<I", len(items)), b""
    padding = b"\0" * (position - place - len(names))
    for text, body in items:
        contents += struct.pack("<II", place, position + len(bodies))
        place += len(text) + 1
        bodies += body + b"\0" * (-len(body) % 16)
    return data[:header] + contents + names + padding + bodies


def main(archive):
    with tempfile.TemporaryDirectory() as folder:
        member, blob, source = (Path(folder, name) for name in (MEMBER, "data", "data.s"))
        subprocess.run(["ar", "x", Path(archive).resolve(), MEMBER], cwd=folder, check=True)
        symbols = subprocess.run(["nm", member], capture_output=True, text=True, check=True).stdout.split()
        symbol = next(word for word in symbols if word.startswith("icudt"))
        subprocess.run(["objcopy", "-O", "binary", "--only-section=.rodata", member, blob], check=True)
        before = blob.read_bytes()
        after = trimmed(before)
        blob.write_bytes(after)
        source.write_text(
            f'.section .rodata\n.balign 16\n.globl {symbol}\n.type {symbol}, @object\n{symbol}:\n.incbin "{blob}"\n'
            f".size {symbol}, . - {symbol}\n"
        )
        subprocess.run(["clang", "-c", "-Wa,--noexecstack", source, "-o", member], check=True)
        subprocess.run(["ar", "r", archive, member], check=True)
        print(f"{symbol}: {len(before)} bytes before, {len(after)} after", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
