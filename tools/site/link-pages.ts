import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { ParsedPage, Targets } from './parse-page.ts';

/** The link targets on all pages of a site. */
export interface LinkContext {
  readonly projectFolder: string;
  readonly pages: ReadonlyMap<string, ParsedPage>;
  /**
   * The address of the repository's files, such as `https://example.com/docmill/blob/main`. Undefined if there is none.
   */
  readonly repositoryUrl: string | undefined;
  /** Adds a file of the repository to the site and returns its path there. */
  readonly addAsset: (file: string) => string;
  /** Called for each link to a missing page, heading or file of `docs`. Other links are checked in the repository. */
  readonly onDeadLink: (problem: string) => void;
}

/** Rewrites a page's links and images as relative addresses, so that the site works below any path. */
export function linkPage(page: ParsedPage, context: LinkContext): Targets {
  const { projectFolder, pages, repositoryUrl, addAsset, onDeadLink } = context;
  const folder = posix.dirname(page.source.url);
  const relative = (url: string): string => posix.relative(folder, url) || posix.basename(url);
  const fileOf = (path: string): string => posix.join(posix.dirname(page.source.file), decodeURI(path));
  const fail = (href: string): undefined => {
    onDeadLink(`${page.source.file}: ${href} leads nowhere`);
    return undefined;
  };
  return {
    link(href) {
      if (/^[a-z][a-z+.-]*:/i.test(href)) return /^(https?|mailto):/i.test(href) ? href : fail(href);
      const [path = '', anchor] = href.split('#');
      const file = path === '' ? page.source.file : fileOf(path).replace(/\/$/, '');
      const target = pages.get(file) ?? pages.get(posix.join(file, 'README.md'));
      if (target === undefined) {
        const isInDocs = file.startsWith('docs/');
        if (file.startsWith('..') || (isInDocs && !existsSync(join(projectFolder, file)))) return fail(href);
        if (isInDocs && /\.(png|svg|pdf)$/.test(file)) return relative(addAsset(file));
        return repositoryUrl === undefined ? undefined : `${repositoryUrl}/${encodeURI(file)}`;
      }
      if (anchor === undefined || anchor === '') return relative(target.source.url);
      if (!target.anchors.has(decodeURIComponent(anchor))) return fail(href);
      return `${path === '' ? '' : relative(target.source.url)}#${anchor}`;
    },
    image(src) {
      const file = fileOf(src);
      if (/^[a-z]+:/i.test(src) || !file.startsWith('docs/') || !existsSync(join(projectFolder, file))) {
        fail(src);
        return '';
      }
      return relative(addAsset(file));
    },
    outside(href, text) {
      const file = fileOf(href.split('#')[0] ?? '');
      return text.includes(file) ? '' : ` (${file} in the repository)`;
    },
  };
}
