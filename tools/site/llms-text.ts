import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Source } from './read-sources.ts';

/** Sections of `docs/llms.txt` whose pages are included in the long form. */
const longSections = /^(Start|Authors|Developers|Clients|Reference)\b/;

/**
 * Files for language models (https://llmstxt.org), by path in the site: `llms.txt` copied from `docs`, the Markdown of
 * the pages that it links to, and `llms-full.txt` with the text of the guides and the reference. Empty without a
 * `docs/llms.txt`.
 */
export function writeLlmsFiles(projectFolder: string, sources: readonly Source[]): ReadonlyMap<string, Buffer> {
  const file = join(projectFolder, 'docs/llms.txt');
  if (!existsSync(file)) return new Map();
  const short = readFileSync(file, 'utf8');
  const pages = new Map(sources.map((source) => [source.file.replace(/^docs\//, ''), source.markdown]));
  const [head = '', ...sections] = short.split(/^## /m);
  const long = sections
    .filter((section) => longSections.test(section))
    .flatMap((section) => [...section.matchAll(/\]\(([^)]+\.md)\)/g)].map(([, path = '']) => path));
  const full = [
    head.trim(),
    ...[...new Set(long)].map((path) => `<!-- ${path} -->\n\n${pages.get(path)?.trim() ?? ''}`),
  ];
  return new Map([
    ['llms.txt', Buffer.from(short)],
    ['llms-full.txt', Buffer.from(`${full.join('\n\n')}\n`)],
    ...sources
      .filter((source) => source.file.startsWith('docs/'))
      .map((source) => [source.file.replace(/^docs\//, ''), Buffer.from(source.markdown)] as const),
  ]);
}
