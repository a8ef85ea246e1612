"""Packs a directory into an archive whose bytes depend on nothing but the files: archive.py DIRECTORY FILE.tar.gz|FILE.zip

Names are in order, the time is that of SOURCE_DATE_EPOCH, everything belongs to nobody, and what may run is the program alone.
"""

import gzip
import os
import sys
import tarfile
import time
import zipfile
from pathlib import Path

top, file = Path(sys.argv[1]), sys.argv[2]
moment = int(os.environ["SOURCE_DATE_EPOCH"])
paths = [(path.relative_to(top.parent).as_posix(), path) for path in sorted(top.rglob("*")) if path.is_file()]


def mode(path):
    return 0o755 if path.stem == "tidings" and path.suffix in ("", ".exe") else 0o644


if file.endswith(".zip"):
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, path in paths:
            entry = zipfile.ZipInfo(name, time.gmtime(moment)[:6])
            entry.create_system, entry.external_attr = 3, (0o100000 | mode(path)) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes(), compresslevel=9)
else:
    with open(file, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for name, path in paths:
                entry = tarfile.TarInfo(name)
                entry.size, entry.mode, entry.mtime = path.stat().st_size, mode(path), moment
                with open(path, "rb") as content:
                    archive.addfile(entry, content)
