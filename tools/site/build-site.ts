import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import MiniSearch from 'minisearch';
import type { OpenApiDocument } from '../../src/api/documentation/walk.ts';
import { type LinkContext, linkPage } from './link-pages.ts';
import { writeLlmsFiles } from './llms-text.ts';
import { buildNavigation } from './navigation.ts';
import { type ParsedPage, parsePage, renderContent } from './parse-page.ts';
import { readSources } from './read-sources.ts';
import { writeReference } from './reference/write-reference.ts';
import { writeFiles } from './write-files.ts';
import { type Frame, writeHomePage, writeMissingPage, writePage } from './write-page.ts';

export interface Site {
  readonly pages: number;
  readonly files: number;
  /** The size of all files, without their compressed copies. */
  readonly sizeBytes: number;
}

/** Search fields; `assets/search.js` opens the index with the same list. */
const searchFields = ['title', 'heading', 'text'];

/**
 * Builds a project's documentation site into `outFolder`, which is replaced: the Markdown files in `docs`, the API
 * reference from an OpenAPI document, and the service's home page. The build is reproducible.
 *
 * @throws Error with a line for each broken link
 */
export async function buildSite(
  projectFolder: string,
  outFolder: string,
  { openApi, repositoryUrl }: { readonly openApi?: OpenApiDocument; readonly repositoryUrl?: string | undefined } = {},
): Promise<Site> {
  const files = new Map<string, Buffer>();
  const problems: string[] = [];
  const reference = openApi === undefined ? [] : writeReference(openApi);
  const sources = [...readSources(projectFolder), ...reference];
  const pages = new Map(sources.map((source) => [source.file, parsePage(source)]));
  const addFile = (name: string, bytes: Buffer): string => {
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 10);
    const path = `assets/${basename(name, extname(name))}-${hash}${extname(name)}`;
    files.set(path, bytes);
    return path;
  };
  const own = (name: string): string => addFile(name, readAsset(`assets/${name}`));
  const frame: Frame = {
    version: (JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { version: string }).version,
    navigation: buildNavigation([...pages.values()]),
    style: addFile('site.css', Buffer.from([writeFontFaces(addFile), ...styles.map(readAsset)].join('\n'))),
    script: own('site.js'),
    referenceScript: own('reference.js'),
    homeScript: own('home.js'),
    icon: addFile('icon.svg', readAsset('../../src/console/icon.svg')),
  };
  const searchAddresses: Readonly<Record<string, string>> = {
    '{module}': addFile('minisearch.js', searchModule()),
    '{index}': addFile('search.json', Buffer.from(JSON.stringify(buildSearchIndex([...pages.values()])))),
  };
  const search = readAsset('assets/search.js').toString();
  files.set('search.js', Buffer.from(search.replace(/\{(module|index)\}/g, (name) => searchAddresses[name] ?? name)));
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
  files.set('home.html', Buffer.from(writeHomePage(readAsset('assets/home.html').toString(), frame)));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  await writeFiles(files, resolve(outFolder));
  const sizeBytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
  return { pages: pages.size, files: files.size, sizeBytes };
}

/** Colours, type and spaces are the console's. */
const styles = ['../../src/console/styles/tokens.css', 'assets/site.css', 'assets/reference.css', 'assets/home.css'];

const readAsset = (path: string): Buffer => readFileSync(new URL(path, import.meta.url));

/** The style rules that load the console's typeface, from files of the site. */
function writeFontFaces(addFile: (name: string, bytes: Buffer) => string): string {
  const ofConsole = createRequire(new URL('../../src/console/package.json', import.meta.url));
  const file = ofConsole.resolve('@fontsource-variable/inter/index.css');
  return readFileSync(file, 'utf8').replaceAll(/url\(\.\/([^)]+)\)/g, (_, path: string) => {
    return `url(${basename(addFile(path, readFileSync(join(dirname(file), path))))})`;
  });
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
