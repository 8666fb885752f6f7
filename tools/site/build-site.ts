import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import MiniSearch from 'minisearch';
import { type LinkContext, linkPage } from './link-pages.ts';
import { writeLlmsFiles } from './llms-text.ts';
import { buildNavigation } from './navigation.ts';
import { type ParsedPage, parsePage, renderContent } from './parse-page.ts';
import { readSources } from './read-sources.ts';
import { writeFiles } from './write-files.ts';
import { type Frame, writeMissingPage, writePage } from './write-page.ts';

export interface Site {
  readonly pages: number;
  readonly files: number;
  /** The size of all files, without their compressed copies. */
  readonly sizeBytes: number;
}

/** Search fields; `assets/site.js` opens the index with the same list. */
const searchFields = ['title', 'heading', 'text'];

/**
 * Builds a project's documentation site into `outFolder`, which is replaced. The build is reproducible.
 *
 * @throws Error with a line for each broken link
 */
export async function buildSite(projectFolder: string, outFolder: string, repositoryUrl?: string): Promise<Site> {
  const files = new Map<string, Buffer>();
  const problems: string[] = [];
  const sources = readSources(projectFolder);
  const pages = new Map(sources.map((source) => [source.file, parsePage(source)]));
  const addFile = (name: string, bytes: Buffer): string => {
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 10);
    const path = `assets/${basename(name, extname(name))}-${hash}${extname(name)}`;
    files.set(path, bytes);
    return path;
  };
  const own = (name: string): string => addFile(name, readFileSync(new URL(`assets/${name}`, import.meta.url)));
  const frame: Frame = {
    version: (JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { version: string }).version,
    navigation: buildNavigation([...pages.values()]),
    style: own('site.css'),
    script: own('site.js'),
    icon: addFile('icon.svg', readFileSync(join(projectFolder, 'src/api/pages/assets/icon.svg'))),
    searchModule: addFile('minisearch.js', searchModule()),
    searchIndex: addFile('search.json', Buffer.from(JSON.stringify(buildSearchIndex([...pages.values()])))),
  };
  const context: LinkContext = {
    projectFolder,
    pages,
    repositoryUrl,
    addAsset: (file) => addFile(file, readFileSync(join(projectFolder, file))),
    onDeadLink: (problem) => problems.push(problem),
  };
  for (const page of pages.values()) {
    const content = renderContent(page, linkPage(page, context));
    files.set(page.source.url, Buffer.from(writePage(page, content, frame)));
  }
  for (const [path, bytes] of writeLlmsFiles(projectFolder, sources)) files.set(path, bytes);
  files.set('404.html', Buffer.from(writeMissingPage(frame)));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  await writeFiles(files, resolve(outFolder));
  const sizeBytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
  return { pages: pages.size, files: files.size, sizeBytes };
}

/** The search library in the form that its package publishes for browsers. */
function searchModule(): Buffer {
  const text = readFileSync(fileURLToPath(import.meta.resolve('minisearch')), 'utf8');
  return Buffer.from(text.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n'));
}

function buildSearchIndex(pages: readonly ParsedPage[]): MiniSearch {
  const index = new MiniSearch({ fields: searchFields, storeFields: ['url', ...searchFields] });
  index.addAll(
    pages.flatMap(({ source, title, sections }) =>
      sections.map(({ heading, text }) => {
        const url = heading.level === 1 ? source.url : `${source.url}#${heading.id}`;
        return { id: url, url, title, heading: heading.text, text };
      }),
    ),
  );
  return index;
}
