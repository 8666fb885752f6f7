import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Package {
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

interface Locked {
  readonly version?: string;
  /** True for a package of this repository. */
  readonly link?: boolean;
}

const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;
const { packages } = read<{ packages: Record<string, Locked> }>('package-lock.json');
const folders = [
  ...['', 'clients/typescript/', 'clients/cli/', 'src/console/'],
  ...['packages/einvoice/', 'packages/layout/', 'packages/word/'],
];

test.each(folders)('%spackage.json pins the locked versions, and has ranges only where it is published', (folder) => {
  const { private: isPrivate, dependencies, devDependencies } = read<Package>(`${folder}package.json`);
  const wrong = (names: Readonly<Record<string, string>> = {}, ranges: RegExp): readonly string[] =>
    Object.entries(names).flatMap(([name, wanted]) => {
      const locked = packages[`${folder}node_modules/${name}`] ?? packages[`node_modules/${name}`];
      if (locked === undefined) return [`${name} is not locked`];
      const { version = '', link } = locked;
      if (link === true) return [];
      return ranges.test(wanted) || wanted === version ? [] : [`${name} ${wanted}, locked ${version}`];
    });
  const none = /^$/;
  expect(wrong(dependencies, isPrivate === true ? none : /^[~^]\d/)).toEqual([]);
  expect(wrong(devDependencies, none)).toEqual([]);
});
