"""The forge and the registries of a rehearsal, on the loopback interface: git and releases as GitHub has them, and the
registries of Rust, Python and npm, each as far as its own client speaks to it. What is sent to them is kept in memory."""

import base64
import email.parser
import email.policy
import hashlib
import json
import os
import ssl
import struct
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

PROJECT = "harbor/tidings"
TOKEN = "a-token-of-the-job"


class World:
    """Everything that was published."""

    def __init__(self, directory):
        self.directory = directory
        self.releases = {}
        self.crates = {}
        self.files = {}
        self.packages = {}
        self.order = []
        self.refused = []


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    world = None

    def log_message(self, *_):
        pass

    def answer(self, code, body=b"", kind="application/json"):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def handle_request(self):
        where = urlsplit(self.path)
        self.route, self.query = unquote(where.path), parse_qs(where.query)
        self.home = f"https://{self.headers['Host']}"
        length = int(self.headers.get("Content-Length") or 0)
        self.body = self.rfile.read(length) if length else self.chunks()
        area = self.route.split("/")[1]
        areas = {"harbor": self.forge, "api": self.api, "index": self.index, "crates": self.crates,
                 "simple": self.simple, "wheels": self.wheel, "legacy": self.legacy, "_": self.identity, "npm": self.npm,
                 "token": lambda: self.answer(200, {"value": "a-token-of-identity"})}
        areas.get(area, lambda: self.answer(404, {"message": "Not Found"}))()

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = handle_request

    def chunks(self):
        body = b""
        if self.headers.get("Transfer-Encoding") == "chunked":
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        return body

    # --- the forge

    def forge(self):
        """git, and the files of releases."""
        if "/releases/" not in self.route:
            return self.git()
        *_, tag, name = self.route.split("/")
        release = next((release for release in self.world.releases.values() if release["tag_name"] == tag), {"files": {}})
        if name not in release["files"] or release["draft"]:
            return self.answer(404, b"", "text/plain")
        return self.answer(200, release["files"][name], "application/octet-stream")

    def git(self):
        env = {**os.environ, "GIT_PROJECT_ROOT": str(self.world.directory), "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": self.route,
               "REQUEST_METHOD": self.command, "QUERY_STRING": urlsplit(self.path).query, "REMOTE_USER": "job",
               "CONTENT_TYPE": self.headers.get("Content-Type", ""), "CONTENT_LENGTH": str(len(self.body)),
               "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
               "GIT_PROTOCOL": self.headers.get("Git-Protocol", "")}
        done = subprocess.run(["git", "http-backend"], input=self.body, env=env, stdout=subprocess.PIPE, check=True).stdout
        head, _, body = done.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        self.answer(int(fields.pop("Status", "200").split()[0]), body, fields["Content-Type"])

    def shown(self, release):
        place = f"{self.home}/{PROJECT}/releases"
        assets = [{"id": number, "name": name, "state": "uploaded", "size": len(data),
                   "digest": f"sha256:{hashlib.sha256(data).hexdigest()}",
                   "browser_download_url": f"{place}/download/{release['tag_name']}/{name}"}
                  for number, (name, data) in enumerate(release["files"].items())]
        return {**{key: value for key, value in release.items() if key != "files"}, "assets": assets,
                "html_url": f"{place}/tag/{release['tag_name']}",
                "upload_url": f"{self.home}/api/uploads/repos/{PROJECT}/releases/{release['id']}/assets{{?name,label}}"}

    def api(self):
        """The Rust registry's `/api/v1/crates`, and GitHub's API below the same path."""
        if self.route == "/api/v1/crates/new":
            return self.publish_crate()
        return self.upload() if self.route.startswith("/api/uploads/") else self.releases()

    def releases(self):
        """What a release asks of GitHub's API."""
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            return self.answer(401, {"message": "Bad credentials"})
        all_of_them, rest = self.world.releases, self.route.removeprefix("/api/v3").removeprefix(f"/repos/{PROJECT}")
        given = json.loads(self.body or b"{}")
        if rest == "":
            return self.answer(200, {"private": False, "permissions": {"pull": True, "push": False}})
        if rest.startswith("/git/ref/tags/"):
            tag = rest.removeprefix("/git/ref/tags/")
            found = subprocess.run(["git", "-C", self.world.directory / f"{PROJECT}.git", "rev-parse", "-q", "--verify", f"refs/tags/{tag}"],
                                   stdout=subprocess.PIPE, check=False).stdout.decode().strip()
            return self.answer(200, {"ref": f"refs/tags/{tag}", "object": {"sha": found, "type": "tag"}}) if found else self.answer(404, {})
        if rest == "/installation/repositories":
            return self.answer(200, {"total_count": 1, "repositories": [{"id": 1}]})
        if rest == "/releases" and self.command == "GET":
            return self.answer(200, [self.shown(release) for release in all_of_them.values()])
        if rest == "/releases":
            number = len(all_of_them) + 1
            all_of_them[number] = {"id": number, "draft": False, "prerelease": False, **given, "files": {}}
            return self.answer(201, self.shown(all_of_them[number]))
        if rest.startswith("/releases/tags/"):
            found = [one for one in all_of_them.values() if one["tag_name"] == rest.split("/")[-1] and not one["draft"]]
            return self.answer(200, self.shown(found[0])) if found else self.answer(404, {"message": "Not Found"})
        if self.command == "PATCH":
            release = all_of_them[int(rest.split("/")[-1])]
            release.update(given)
            return self.answer(200, self.shown(release))
        return self.answer(404, {"message": "Not Found"})

    def upload(self):
        release = self.world.releases[int(self.route.split("/")[-2])]
        name = self.query["name"][0]
        if name in release["files"]:
            return self.answer(422, {"message": "Validation Failed", "errors": [{"code": "already_exists", "field": "name"}]})
        release["files"][name] = self.body
        return self.answer(201, self.shown(release)["assets"][-1])

    # --- the Rust registry

    def index(self):
        """The sparse index of the one crate."""
        if self.route == "/index/config.json":
            return self.answer(200, {"dl": f"{self.home}/crates", "api": self.home})
        name = self.route.split("/")[-1]
        lines = [json.dumps(one) for (known, _), one in self.world.crates.items() if known == name]
        return self.answer(200, "\n".join(lines).encode(), "text/plain") if lines else self.answer(404)

    def crates(self):
        self.answer(404)

    def publish_crate(self):
        size, = struct.unpack("<I", self.body[:4])
        about = json.loads(self.body[4:4 + size])
        data = self.body[8 + size:]
        key = (about["name"], about["vers"])
        if key in self.world.crates:
            self.world.refused.append(key)
            return self.answer(200, {"errors": [{"detail": f"crate version `{about['vers']}` is already uploaded"}]})
        wanted = [name for name in ("description", "license", "repository", "homepage", "readme") if not about.get(name)]
        if wanted:
            return self.answer(200, {"errors": [{"detail": f"missing: {wanted}"}]})
        self.world.crates[key] = {"name": about["name"], "vers": about["vers"], "deps": [], "features": {}, "yanked": False,
                                  "cksum": hashlib.sha256(data).hexdigest()}
        self.world.order.append(f"crate {about['name']} {about['vers']}")
        return self.answer(200, {"warnings": {"invalid_categories": [], "invalid_badges": [], "other": []}})

    # --- the Python registry

    def identity(self):
        """The exchange of a job's identity for a token."""
        self.answer(200, {"audience": "pypi"} if self.route.endswith("/audience") else {"success": True, "token": TOKEN})

    def simple(self):
        name = self.route.strip("/").split("/")[-1]
        names = [known for known in self.world.files if known.replace("_", "-").startswith(f"{name}-")]
        links = "".join(f'<a href="/wheels/{known}#sha256={hashlib.sha256(self.world.files[known]).hexdigest()}">{known}</a>\n' for known in names)
        self.answer(200 if names else 404, f"<!DOCTYPE html><html><body>\n{links}</body></html>".encode(), "text/html")

    def wheel(self):
        name = self.route.split("/")[-1]
        self.answer(200, self.world.files[name], "application/octet-stream")

    def legacy(self):
        account = base64.b64encode(f"__token__:{TOKEN}".encode()).decode()
        if self.headers.get("Authorization") != f"Basic {account}":
            return self.answer(403, b"no trusted publisher", "text/plain")
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        parts = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + self.body).iter_parts()
        for part in parts:
            if name := part.get_filename():
                if name in self.world.files:
                    return self.answer(400, b"File already exists", "text/plain")
                self.world.files[name] = part.get_payload(decode=True)
                self.world.order.append(f"python {name}")
        return self.answer(200, b"", "text/plain")

    # --- the npm registry

    def npm(self):
        name = self.route.removeprefix("/npm/")
        if "/-/" in name:
            return self.answer(200, self.world.packages[name.split("/-/")[0]]["data"], "application/octet-stream")
        if self.command == "PUT":
            given = json.loads(self.body)
            version, = given["versions"].values()
            page = f"{self.headers['Host']}/{PROJECT}"
            if page not in version.get("repository", {}).get("url", ""):
                return self.answer(422, {"error": f'Error verifying provenance: "repository.url" is "", expected to match "{page}"'})
            data, = given["_attachments"].values()
            self.world.packages[name] = {"about": given, "data": base64.b64decode(data["data"])}
            self.world.order.append(f"npm {name}")
            return self.answer(201, {"ok": True})
        if name not in self.world.packages:
            return self.answer(404, {"error": "Not found"})
        about = dict(self.world.packages[name]["about"])
        about.pop("_attachments", None)
        for version in about["versions"].values():
            version["dist"]["tarball"] = f"{self.home}/npm/{name}/-/{name}-{version['version']}.tgz"
        return self.answer(200, about)


def serve(directory):
    """Starts the server, with a certificate of its own. Returns what it has, its address, and the file of authorities."""
    key, authority_key, own, authority, both = (directory / f"{name}.pem" for name in ("key", "authority-key", "own", "authority", "authorities"))
    request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    subprocess.run([*request, "-keyout", authority_key, "-out", authority, "-subj", "/CN=rehearsal"], check=True, capture_output=True)
    subprocess.run([*request, "-keyout", key, "-out", own, "-subj", "/CN=localhost", "-CA", authority, "-CAkey", authority_key,
                    "-addext", "basicConstraints=critical,CA:FALSE", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
                   check=True, capture_output=True)
    known = os.environ.get("SSL_CERT_FILE") or ssl.get_default_verify_paths().cafile or "/etc/ssl/certs/ca-certificates.crt"
    both.write_text((open(known).read() if os.path.exists(known) else "") + authority.read_text())
    world = World(directory)
    areas = type("Areas", (Handler,), {"world": world})
    server = ThreadingHTTPServer(("127.0.0.1", 0), areas)
    server.daemon_threads = True
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(own, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return world, f"https://localhost:{server.server_address[1]}", both
