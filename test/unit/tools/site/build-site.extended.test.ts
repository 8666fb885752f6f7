import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import MarkdownIt from 'markdown-it';
import { beforeAll, describe, expect, test } from 'vitest';
import { adminOperations, operations } from '../../../../src/api/app.ts';
import { createOpenApiDocument } from '../../../../src/api/documentation/openapi-document.ts';
import { buildSite } from '../../../../tools/site/build-site.ts';
import { readSources } from '../../../../tools/site/read-sources.ts';
import { writeReference } from '../../../../tools/site/reference/write-reference.ts';
import { buildContext } from '../../../support/deploy/dockerfile.ts';
import { useFolders } from '../../../support/folder.ts';
import { attribute, type Element, elementsOf, textOf, within } from '../../../support/site/elements.ts';

const folder = useFolders()();
const site = join(folder, 'site');
const openApi = createOpenApiDocument(operations, undefined, adminOperations);
const sources = [...readSources('.'), ...writeReference(openApi)];

beforeAll(async () => {
  await buildSite('.', site, { openApi });
}, 300_000);

describe('the site built from the real documents', () => {
  test('shows all code as written', () => {
    for (const { file, url, markdown } of sources) expect(codesOf(pageOf(url)), file).toEqual(writtenCodes(markdown));
  });

  test('links only to files of the site and to ids in them', () => {
    const dead: string[] = [];
    const hasId = (path: string, id: string) =>
      pageOf(path).some((element) => [attribute(element, 'id'), attribute(element, 'name')].includes(id));
    for (const { url } of sources) {
      for (const element of pageOf(url)) {
        const link = attribute(element, 'href') ?? attribute(element, 'src');
        if (link === undefined || /^(https?|mailto):/.test(link)) continue;
        const [path = '', id] = link.split('#');
        const target = path === '' ? url : posix.join(posix.dirname(url), path);
        // The service's home page and the console are beside the site.
        if (['../', '../console/'].includes(target)) continue;
        const isThere = existsSync(join(site, target)) && (id === undefined || hasId(target, decodeURIComponent(id)));
        if (!isThere) dead.push(`${url}: ${link}`);
      }
    }
    expect(dead).toEqual([]);
  });

  test('has every page in the list of pages once, and marks it there', () => {
    for (const { url } of sources) {
      const links = pageOf(url).filter((element) => attribute(element, 'aria-current') === 'page');
      expect(links.map((link) => posix.join(posix.dirname(url), attribute(link, 'href') ?? ''))).toEqual([url]);
    }
  });

  test('loads nothing from other hosts, and has no inline scripts, styles or comments', () => {
    for (const { url } of sources) {
      const html = readFileSync(join(site, url), 'utf8');
      expect(html, url).not.toContain('<!--');
      for (const element of pageOf(url)) {
        expect(attribute(element, 'style'), url).toBeUndefined();
        expect(element.tagName, url).not.toBe('style');
        if (element.tagName === 'script') expect(textOf(element), url).toBe('');
        if (element.tagName !== 'a')
          expect(attribute(element, 'href') ?? attribute(element, 'src') ?? '', url).not.toMatch(/^[a-z]+:|^\/\//);
      }
    }
  });

  test('needs only the files that are copied into the image, and always has the same bytes', async () => {
    const image = join(folder, 'image');
    for (const file of buildContext().filter((path) => /^(docs|tools\/site)\/|^[^/]+$/.test(path)))
      cpSync(file, join(image, file), { recursive: true });
    expect(readdirSync(join(image, 'tools/site')).sort()).toEqual(readdirSync('tools/site').sort());
    const again = join(image, 'dist/guide');
    await buildSite(image, again, { openApi });
    expect(readFileSync(join(again, 'files.json'), 'utf8')).toBe(readFileSync(join(site, 'files.json'), 'utf8'));
    for (const name of readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.br')))
      expect(readFileSync(join(again, name)).equals(readFileSync(join(site, name))), name).toBe(true);
  }, 300_000);

  test('stays below its size limit', () => {
    const limits = [
      [/^search-/, 560_000],
      // All guides and the reference in one file, for language models.
      [/^llms-full/, 135_000],
      [/./, 40_000],
    ] as const;
    const files = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.br'));
    expect(files.filter((file) => /^(search-|llms-full)/.test(posix.basename(file)))).toHaveLength(2);
    for (const file of files) {
      const limit = limits.find(([pattern]) => pattern.test(posix.basename(file)))?.[1] ?? 0;
      expect(readFileSync(join(site, file)).length, file).toBeLessThan(limit);
    }
  });
});

/** The code that a page must show, as the Markdown parser reads it, without this project's rendering. */
function writtenCodes(markdown: string): readonly string[] {
  const tokens = new MarkdownIt().enable('table').parse(markdown.replaceAll(/<!--.*?-->/gs, ''), {});
  return tokens.flatMap((token) => {
    if (token.type === 'fence' || token.type === 'code_block') return [token.content];
    return (token.children ?? []).filter(({ type }) => type === 'code_inline').map(({ content }) => content);
  });
}

/** The code in the article. HTML parsers drop a line break at the beginning of `pre`, and no document has one. */
function codesOf(elements: readonly Element[]): readonly string[] {
  const article = elements.find(({ tagName }) => tagName === 'article');
  return article === undefined
    ? []
    : within(article)
        .filter(({ tagName }) => tagName === 'code')
        .map(textOf);
}

const parsed = new Map<string, readonly Element[]>();

/** The elements of a page of the site. */
function pageOf(url: string): readonly Element[] {
  const elements = parsed.get(url) ?? elementsOf(join(site, url));
  parsed.set(url, elements);
  return elements;
}
