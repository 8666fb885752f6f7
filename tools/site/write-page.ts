import { posix } from 'node:path';
import type { NavigationEntry, NavigationGroup } from './navigation.ts';
import { escapeHtml, type Heading, type ParsedPage } from './parse-page.ts';

/** What all pages of a site share. Paths are relative to the root of the site. */
export interface Frame {
  readonly version: string;
  readonly navigation: readonly NavigationGroup[];
  readonly style: string;
  readonly script: string;
  /** The additional scripts of the reference and of the home page. */
  readonly referenceScript: string;
  readonly homeScript: string;
  readonly icon: string;
}

/** A complete page. All addresses are relative, so that the site works below any path. */
export function writePage(page: ParsedPage, content: string, frame: Frame): string {
  const { url } = page.source;
  const root = posix.relative(posix.dirname(url), '') || '.';
  const all = frame.navigation.flatMap(({ entries }) => entries);
  const place = all.findIndex((entry) => entry.url === url);
  const isReference = url.startsWith('api/');
  // Below its operations, the reference has the same headings again and again.
  const outline = page.headings.filter(({ level }) => level === 2 || (level === 3 && !isReference));
  const name = isReference ? 'Docmill API' : 'Docmill guide';
  return writeFrame(frame, root, {
    title: url === 'index.html' ? name : `${page.title} · ${name}`,
    current: url,
    script: isReference ? frame.referenceScript : undefined,
    main: `<article>
${content}${writeNeighbours(root, all[place - 1], all[place + 1])}</article>
${outline.length < 2 ? '' : writeOutline(outline)}`,
  });
}

/**
 * The page for missing addresses. The server replaces `{root}`, because only the server knows the depth of the address.
 */
export function writeMissingPage(frame: Frame): string {
  return writeFrame(frame, '{root}', {
    title: 'Not found · Docmill guide',
    current: '',
    main: `<article>
<h1>There is no such page</h1>
<p>The address may have changed. Search for the page, choose it in the list, or begin with the <a href="{root}/index.html">overview</a>.</p>
</article>`,
  });
}

/** The service's home page, for an address outside the folder `guide`. */
export function writeHomePage(content: string, frame: Frame): string {
  return writeFrame(frame, 'guide', {
    title: 'Docmill',
    current: 'home',
    script: frame.homeScript,
    main: content.replaceAll('{root}', 'guide'),
  });
}

interface Parts {
  readonly title: string;
  /** The page of the site that is shown, or `home`, which has no list of pages. */
  readonly current: string;
  readonly script?: string | undefined;
  readonly main: string;
}

function writeFrame(frame: Frame, root: string, { title, current, script, main }: Parts): string {
  const isHome = current === 'home';
  const isReference = current.startsWith('api/');
  const mark = (isCurrent: boolean): string => (isCurrent ? ' aria-current="true"' : '');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<meta name="application-name" content="Docmill">
<link rel="icon" href="${root}/${frame.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${root}/${frame.style}">
<script type="module" src="${root}/${frame.script}"></script>
${script === undefined ? '' : `<script type="module" src="${root}/${script}"></script>\n`}</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="${root}/../"><img src="${root}/${frame.icon}" alt="" width="26" height="26">Docmill</a>
<nav aria-label="Service"><a href="${root}/index.html"${mark(!isHome && !isReference)}>Guide</a><a href="${root}/api/index.html"${mark(isReference)}>API</a><a href="${root}/../console/">Console</a></nav>
<button type="button" class="search" hidden data-root="${root}">Search <kbd>/</kbd></button>
</header>
<div class="page">
${isHome ? '' : writeMenu(frame.navigation, root, current)}<main id="content" tabindex="-1">
${main}
</main>
</div>
<footer>Docmill ${escapeHtml(frame.version)}</footer>
</body>
</html>
`;
}

function writeMenu(navigation: Frame['navigation'], root: string, current: string): string {
  return `<details class="menu" open>
<summary>All pages</summary>
<nav aria-label="Pages">
${navigation.map((group) => writeGroup(group, root, current)).join('\n')}
</nav>
</details>
`;
}

function writeGroup({ title, entries }: NavigationGroup, root: string, current: string): string {
  const items = entries.map(({ title: text, url }) => {
    const mark = url === current ? ' aria-current="page"' : '';
    return `<li><a href="${root}/${url}"${mark}>${escapeHtml(text)}</a></li>`;
  });
  // The long list of decisions is collapsed unless it contains the current page.
  const isOpen = entries.length <= 25 || entries.some(({ url }) => url === current);
  return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(title)}</summary>\n<ul>\n${items.join('\n')}\n</ul></details>`;
}

function writeOutline(headings: readonly Heading[]): string {
  const items = headings.map(
    ({ level, id, text }) => `<li class="level-${level}"><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="outline" aria-label="On this page">\n<p>On this page</p>\n<ul>\n${items.join('\n')}\n</ul>\n</nav>`;
}

function writeNeighbours(root: string, before?: NavigationEntry, after?: NavigationEntry): string {
  const link = (name: string, label: string, entry?: NavigationEntry): string =>
    entry === undefined
      ? ''
      : `<a class="${name}" href="${root}/${entry.url}"><span>${label}</span> ${escapeHtml(entry.title)}</a>`;
  return `<nav class="neighbours" aria-label="Neighbours">${link('previous', 'Previous', before)}${link('next', 'Next', after)}</nav>\n`;
}
