// Prints a release's section of CHANGELOG.md, after checking that every package has the version of the tag:
//   node scripts/release-notes.mjs v1.2.0
//   node scripts/release-notes.mjs unreleased    what the next release would print; all versions must agree
import { readFileSync } from 'node:fs';

const [name] = process.argv.slice(2);
const unreleased = name === 'unreleased';
if (!unreleased && !/^v\d+\.\d+\.\d+$/.test(name ?? '')) fail('name a tag such as v1.2.0, or "unreleased"');

const versions = {};
const { workspaces } = JSON.parse(readFileSync('package.json', 'utf8'));
for (const file of ['package.json', ...workspaces.map((at) => `${at}/package.json`)]) {
  const { version, dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(file, 'utf8'));
  versions[file] = version;
  for (const [dependency, wanted] of Object.entries({ ...devDependencies, ...dependencies }))
    if (dependency.startsWith('@docmill/')) versions[`${file}, its dependency ${dependency}`] = wanted;
}
const python = 'clients/python/src/docmill/_version.py';
versions[python] = /^__version__ = "(.*)"$/m.exec(readFileSync(python, 'utf8'))?.[1];
const wanted = unreleased ? versions['package.json'] : name.slice(1);
const others = Object.entries(versions).filter(([, version]) => version !== wanted);
if (others.length > 0)
  fail(`the release is ${wanted}: ${others.map(([place, version]) => `${place} has ${version}`).join('; ')}`);

const heading = unreleased ? 'Unreleased' : wanted;
const notes = sectionOf(readFileSync('CHANGELOG.md', 'utf8'), heading);
if (notes === undefined) fail(`CHANGELOG.md has no section "## [${heading}]"`);
if (notes === '') fail(`the section "## [${heading}]" in CHANGELOG.md is empty`);
process.stdout.write(`${notes}\n`);

/** The lines below the heading `## [1.2.0] - 2026-12-01`, up to the next one. */
function sectionOf(text, version) {
  const [, ...sections] = text.split(/^## /m);
  const section = sections.find((one) => one.startsWith(`[${version}]`));
  return section?.slice(`${section}\n`.indexOf('\n')).trim();
}

function fail(message) {
  process.stderr.write(`error: ${message}\n`);
  process.exit(1);
}
