import { createRequire } from 'node:module';
import MarkdownIt, { type Token } from 'markdown-it';
import type { Source } from './read-sources.ts';

export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

/** The text below one heading, for the search. */
export interface Section {
  readonly heading: Heading;
  readonly text: string;
}

export interface ParsedPage {
  readonly source: Source;
  readonly title: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
  readonly tokens: Token[];
  /** The page's valid link targets: headings, and anchors written as HTML. */
  readonly anchors: ReadonlySet<string>;
}

/** Functions that rewrite the links and images on a page. */
export interface Targets {
  /** The address of a link. Undefined if the target is not part of the site, so that only the text is written. */
  readonly link: (href: string) => string | undefined;
  readonly image: (src: string) => string;
  /** The text appended to a link whose target is not part of the site. */
  readonly outside: (href: string, text: string) => string;
}

/** The part of highlight.js used here. Its own types would add browser types to the whole project. */
interface Highlighter {
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { readonly value: string };
}

const highlighter = createRequire(import.meta.url)('highlight.js') as Highlighter;
const markdown = createMarkdown();
export const { escapeHtml } = markdown.utils;

/** Tags that documents may write as HTML. All others are escaped, so that `List<T>` appears as written. */
const allowedTag = /^<\/?(?:a|br|details|kbd|sub|summary|sup)(?:\s[^<>]*)?>$/;

/** Parses a page. Headings get the same ids as on GitHub, so that links work in both. */
export function parsePage(source: Source): ParsedPage {
  const tokens = markdown.parse(source.markdown, {});
  const headings: Heading[] = [];
  const ids = new Map<string, number>();
  const sections: { heading: Heading; text: string }[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const text = textOf(tokens[index + 1]);
      const heading = { level: Number(token.tag.slice(1)), id: uniqueId(text, ids), text };
      token.attrSet('id', heading.id);
      headings.push(heading);
      sections.push({ heading, text: '' });
    } else if (tokens[index - 1]?.type !== 'heading_open') {
      const section = sections.at(-1);
      if (section !== undefined) section.text += `${textOf(token)} `;
    }
  }
  const named = [...source.markdown.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, name = '']) => name);
  const title = headings.find(({ level }) => level === 1)?.text;
  if (title === undefined) throw new Error(`${source.file} has no title: begin it with a line such as "# Title"`);
  return {
    source,
    title,
    headings,
    sections: sections.map(({ heading, text }) => ({ heading, text: text.replaceAll(/\s+/g, ' ').trim() })),
    tokens,
    anchors: new Set([...headings.map(({ id }) => id), ...named]),
  };
}

/** The HTML of a page's content. */
export function renderContent({ tokens }: ParsedPage, targets: Targets): string {
  return markdown.renderer.render(tokens, markdown.options, { targets });
}

function createMarkdown() {
  const md = new MarkdownIt({ html: true, highlight });
  const { rules } = md.renderer;
  rules.html_block = (tokens, index) => onlyAllowed(tokens[index]?.content ?? '');
  rules.html_inline = rules.html_block;
  // Wide tables and long lines scroll on their own, so the keyboard must reach them.
  rules.table_open = () => '<div class="scroll" tabindex="0" role="group" aria-label="Table">\n<table>\n';
  rules.table_close = () => '</table>\n</div>\n';
  const fence = rules.fence;
  rules.fence = (...all) => {
    const [tokens, index] = all;
    const data = [...(tokens[index]?.info ?? '').matchAll(/ (sample|operation)=(\S+)/g)]
      .map(([, name = '', value = '']) => ` data-${name}="${escaped(value)}"`)
      .join('');
    return fence?.(...all).replace('<pre>', `<pre tabindex="0"${data}>`) ?? '';
  };
  const plainBlock = rules.code_block;
  rules.code_block = (...all) => plainBlock?.(...all).replace('<pre>', '<pre tabindex="0">') ?? '';
  // The site's policy does not allow style attributes.
  for (const cell of ['th', 'td'] as const) {
    // An empty header cell is written as a data cell.
    const tagOf = (content: string | undefined): string => (content === '' ? 'td' : cell);
    rules[`${cell}_open`] = (tokens, index) => {
      const align = /text-align:(\w+)/.exec(String(tokens[index]?.attrGet('style') ?? ''))?.[1];
      return `<${tagOf(tokens[index + 1]?.content)}${align === undefined ? '' : ` class="${align}"`}>`;
    };
    rules[`${cell}_close`] = (tokens, index) => `</${tagOf(tokens[index - 1]?.content)}>\n`;
  }
  rules.heading_close = (tokens, index) => {
    const id = String(tokens[index - 2]?.attrGet('id') ?? '');
    const label = escaped(`Link to ${textOf(tokens[index - 1])}`);
    return ` <a class="anchor" href="#${escaped(id)}" aria-label="${label}">#</a></${tokens[index]?.tag}>\n`;
  };
  rules.image = (tokens, index, _options, env) => {
    const token = tokens[index];
    const src = targetsOf(env).image(String(token?.attrGet('src') ?? ''));
    return `<img src="${escaped(src)}" alt="${escaped(token?.content ?? '')}" loading="lazy">`;
  };
  rules.link_open = (tokens, index, _options, env) => {
    const href = targetsOf(env).link(String(tokens[index]?.attrGet('href') ?? ''));
    return href === undefined ? '<span class="outside">' : `<a href="${escaped(href)}">`;
  };
  rules.link_close = (tokens, index, _options, env) => {
    const opened = tokens.findLastIndex((token, at) => at < index && token.type === 'link_open');
    const href = String(tokens[opened]?.attrGet('href') ?? '');
    if (targetsOf(env).link(href) !== undefined) return '</a>';
    const text = tokens
      .slice(opened + 1, index)
      .map(textOf)
      .join('');
    return `${escaped(targetsOf(env).outside(href, text))}</span>`;
  };
  return md;

  function escaped(text: string): string {
    return md.utils.escapeHtml(text);
  }

  function onlyAllowed(html: string): string {
    return html
      .replaceAll(/<!--.*?-->\n?/gs, '')
      .replaceAll(/<[^>]*>?/g, (tag) => (allowedTag.test(tag) ? tag : escaped(tag)));
  }
}

function highlight(code: string, language: string): string {
  const name = { console: 'shell', sh: 'bash', text: '' }[language] ?? language;
  return highlighter.getLanguage(name) === undefined
    ? ''
    : highlighter.highlight(code, { language: name, ignoreIllegals: true }).value;
}

function targetsOf(env: unknown): Targets {
  return (env as { readonly targets: Targets }).targets;
}

/** The text of a token as the reader sees it, without markup. */
function textOf(token: Token | undefined): string {
  if (token === undefined || token.type === 'html_block' || token.type === 'html_inline') return '';
  if (token.type === 'softbreak' || token.type === 'hardbreak') return ' ';
  return token.children === null ? token.content : token.children.map(textOf).join('');
}

function uniqueId(text: string, used: Map<string, number>): string {
  const id = text
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
  const count = used.get(id) ?? 0;
  used.set(id, count + 1);
  return count === 0 ? id : `${id}-${count}`;
}
