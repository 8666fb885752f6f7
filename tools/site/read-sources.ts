import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';

/** A Markdown file that becomes a page. */
export interface Source {
  /** Path in the repository, with slashes, such as `docs/guides/email.md`. */
  readonly file: string;
  /** Path in the site, such as `guides/email.html`. */
  readonly url: string;
  readonly markdown: string;
}

/** Pages of the root folder that the documentation links to. */
const rootPages = ['ARCHITECTURE.md', 'SECURITY.md', 'CHANGELOG.md'];

/** Every Markdown file in `docs`, and the root pages, sorted by path. */
export function readSources(projectFolder: string): readonly Source[] {
  const docs = readdirSync(join(projectFolder, 'docs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(projectFolder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  return [...docs, ...rootPages].sort().map((file) => ({
    file,
    url: toUrl(file),
    markdown: readFileSync(join(projectFolder, file), 'utf8').replaceAll('\r\n', '\n'),
  }));
}

function toUrl(file: string): string {
  const path = file.replace(/^docs\//, '').replace(/\.md$/, '');
  if (rootPages.includes(file)) return `${path.toLowerCase()}.html`;
  return posix.basename(path) === 'README' ? posix.join(posix.dirname(path), 'index.html') : `${path}.html`;
}
