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

/** A page belongs to the first group with a pattern that matches its path. */
const groups: readonly (readonly [title: string, pattern: RegExp])[] = [
  ['Start', /^docs\/(README|guides\/getting-started)\.md$/],
  ['Move to Docmill', /^docs\/guides\/(from|migrate|migrating)\b/],
  [
    'Clients and tools',
    /^docs\/(clients\/|guides\/(typescript|python|command-line|cli|dev|develop\w*|test\w*|mcp|integrations|listen|collections)\b)/,
  ],
  ['Guides', /^docs\/guides\//],
  ['Reference', /^docs\/reference\//],
  ['Operations', /^docs\/operations\//],
  ['Decisions', /^docs\/design\/adr\//],
  ['Design', /./],
];

/** The order in which readers see the groups. */
const reading = [
  'Start',
  'Clients and tools',
  'Guides',
  'Move to Docmill',
  'Reference',
  'Operations',
  'Design',
  'Decisions',
];

/**
 * Groups all pages. Their order and short titles come from `docs/README.md`. Pages that it does not list follow, sorted
 * by title.
 */
export function buildNavigation(pages: readonly ParsedPage[]): readonly NavigationGroup[] {
  const index = pages.find(({ source }) => source.file === 'docs/README.md');
  const listed = new Map(
    [...(index?.source.markdown ?? '').matchAll(/^- \[([^\]]+)\]\(([^)#]+\.md)\)/gm)].map(
      ([, title = '', path = ''], place) => [posix.join('docs', path), { title, place }] as const,
    ),
  );
  const entries = pages.map(({ source, title }) => ({
    title: source.file === 'docs/README.md' ? 'Overview' : (listed.get(source.file)?.title ?? title),
    url: source.url,
    place: source.file === 'docs/README.md' ? -1 : (listed.get(source.file)?.place ?? Number.POSITIVE_INFINITY),
    isIndex: source.url.endsWith('/index.html'),
    group: groups.find(([, pattern]) => pattern.test(source.file))?.[0],
  }));
  return reading
    .map((group) => ({
      title: group,
      entries: entries
        .filter((entry) => entry.group === group)
        .sort((a, b) => compare(a.place, b.place) || Number(b.isIndex) - Number(a.isIndex) || compare(a.url, b.url))
        .map(({ title, url }) => ({ title, url })),
    }))
    .filter((group) => group.entries.length > 0);
}

function compare<T extends number | string>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
