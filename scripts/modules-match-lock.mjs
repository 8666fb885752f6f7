import { readFileSync } from 'node:fs';

/** Exits with 0 if npm's record of installed packages matches package-lock.json in this folder or the given one. */
const folder = process.argv[2] ?? '.';

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return {};
  }
}

const wanted = readPackages(`${folder}/package-lock.json`);
const installed = readPackages(`${folder}/node_modules/.package-lock.json`);
const isAsWanted = Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
  if (path === '') return true;
  const found = installed[path];
  if (found === undefined) return optional === true;
  return found.version === version && found.integrity === integrity;
});
process.exit(isAsWanted && Object.keys(installed).length > 0 ? 0 : 1);
