// Renews the results in testdata/changesets/cases.json: what `changeset version` makes of each workspace.
//
//   npm install --prefix DIRECTORY @changesets/cli@2 && node .ci/renew_changesets.mjs DIRECTORY
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const [directory] = process.argv.slice(2);
if (!directory) throw new Error("name the directory that @changesets/cli is installed in");
const tool = path.resolve(directory, "node_modules/@changesets/cli/bin.js");
const file = new URL("../testdata/changesets/cases.json", import.meta.url);
const cases = JSON.parse(fs.readFileSync(file, "utf8"));

for (const one of cases) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "changesets-"));
  for (const [name, text] of Object.entries(one.files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
  }
  const git = (...args) => execFileSync("git", ["-C", root, "-c", "user.name=a", "-c", "user.email=a@b", ...args]);
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "Begin");
  execFileSync(process.execPath, [tool, "version"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  const read = (name) => (fs.existsSync(path.join(root, name)) ? fs.readFileSync(path.join(root, name), "utf8") : null);
  const changed = Object.keys(one.files).filter((name) => read(name) !== one.files[name]);
  one.after = Object.fromEntries(changed.map((name) => [name, read(name)]));
  fs.rmSync(root, { recursive: true });
}
fs.writeFileSync(file, `${JSON.stringify(cases, null, 1)}\n`);
