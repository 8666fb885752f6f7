import { posix } from 'node:path';
import type { ParsedPage } from './parse-page.ts';

export interface NavigationEntry {
  readonly title: string;
  readonly url: string;
}

export interface NavigationGroup {
  readonly title: string;
  readonly entries: readonly NavigationEntry[];
}

const index = 'docs/README.md';
const reference = 'API reference';
const decisions = 'Decisions';
const others = 'Design';

/**
 * Groups all pages. `docs/README.md` has a section for each group, and its pages in the order of reading, with short
 * titles. The API reference follows the group for developers, and decisions are a group of their own.
 */
export function buildNavigation(pages: readonly ParsedPage[]): readonly NavigationGroup[] {
  const bySource = new Map(pages.map((page) => [page.source.file, page]));
  const groups = new Map<string, NavigationEntry[]>();
  const add = (group: string, entry: NavigationEntry): void => {
    groups.set(group, [...(groups.get(group) ?? []), entry]);
  };
  const [, ...sections] = (bySource.get(index)?.source.markdown ?? '').split(/^## /m);
  for (const section of sections) {
    const group = section.split(/[:\n]/)[0] ?? '';
    for (const [, title = '', path = ''] of section.matchAll(/^- \[([^\]]+)\]\(([^)#]+\.md)\)/gm)) {
      const page = bySource.get(posix.join('docs', path));
      if (page === undefined || isDecision(page)) continue;
      bySource.delete(page.source.file);
      add(group, { title, url: page.source.url });
    }
    if (group === 'Developers') groups.set(reference, []);
  }
  // The rest is in no section: the reference, which is made from the OpenAPI document, decisions, and new pages.
  const rest = [...bySource.values()].filter(({ source }) => source.file !== index);
  for (const page of rest.sort((a, b) => Number(isIndex(b)) - Number(isIndex(a)) || compare(a, b)))
    add(groupOf(page), { title: page.title, url: page.source.url });
  return [
    { title: 'Docmill guide', entries: [{ title: 'Overview', url: 'index.html' }] },
    ...Array.from(groups, ([title, entries]) => ({ title, entries })).filter(({ entries }) => entries.length > 0),
  ];
}

const isDecision = ({ source }: ParsedPage): boolean => source.file.startsWith('docs/design/adr/');

const isIndex = ({ source }: ParsedPage): boolean => source.url.endsWith('/index.html');

function groupOf(page: ParsedPage): string {
  if (page.source.file.startsWith('docs/api/')) return reference;
  return isDecision(page) ? decisions : others;
}

function compare({ source: { url: a } }: ParsedPage, { source: { url: b } }: ParsedPage): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
