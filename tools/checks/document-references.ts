import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export interface BrokenReference {
  readonly file: string;
  readonly line: number;
  readonly target: string;
}

/** Paths that documents may name although they are not in the repository. */
const madeAtRun = /^(dist|node_modules|\.local|out)(\/|$)/;

/**
 * Finds broken references in Markdown files: links to missing files and headings, and missing repository paths in
 * backticks.
 */
export function findBrokenReferences(files: readonly string[]): readonly BrokenReference[] {
  const known = new Set(files.flatMap((file) => [file, ...parents(file)]));
  return files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => {
      const lines = withoutBlocks(readFileSync(file, 'utf8')).split('\n');
      return lines.flatMap((text, index) =>
        [...linksOf(text, file), ...pathsOf(text)]
          .filter(({ path, heading }) => !isThere(known, path, heading))
          .map(({ shown }) => ({ file, line: index + 1, target: shown })),
      );
    });
}

interface Reference {
  readonly shown: string;
  readonly path: string;
  readonly heading: string | undefined;
}

function linksOf(text: string, file: string): readonly Reference[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [path = '', heading] = target.split('#');
    return [{ shown: target, path: path === '' ? file : normalize(join(dirname(file), path)), heading }];
  });
}

function pathsOf(text: string): readonly Reference[] {
  const named = text.matchAll(/`((?:src|test|tools|bench|docs|deploy|scripts|drizzle|examples|clients)\/[\w./-]*)`/g);
  return [...named].map(([, target = '']) => ({ shown: target, path: normalize(target), heading: undefined }));
}

function isThere(known: ReadonlySet<string>, path: string, heading: string | undefined): boolean {
  const clean = path.replace(/\/$/, '');
  if (madeAtRun.test(clean)) return true;
  if (!known.has(clean)) return false;
  return heading === undefined || heading === '' || !clean.endsWith('.md') || headingsOf(clean).has(heading);
}

/** The anchors that GitHub gives to the headings of a page. */
function headingsOf(file: string): ReadonlySet<string> {
  if (!existsSync(file)) return new Set();
  const text = withoutBlocks(readFileSync(file, 'utf8'));
  const anchors = [...text.matchAll(/^#+ +(.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{Letter}\p{Number}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
  const named = [...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, name = '']) => name);
  return new Set([...anchors, ...named]);
}

/** Blanks fenced blocks without changing line numbers. */
function withoutBlocks(text: string): string {
  return text.replace(/^(`{3,}).*?^\1`*$/gms, (block) => '\n'.repeat(block.split('\n').length - 1));
}

function parents(file: string): readonly string[] {
  const folders = dirname(file).split('/');
  return folders.map((_, index) => folders.slice(0, index + 1).join('/'));
}
