import { createRequire } from 'node:module';
import type { MarkdownIt, MarkdownItOptions, Token } from 'markdown-it';
import { HtmlProblem, htmlLimits } from './html-limits.ts';

type ParserConstructor = new (options: MarkdownItOptions) => MarkdownIt;

let parser: MarkdownIt | undefined;

/**
 * Converts Markdown to HTML: CommonMark with GitHub's tables and strikethrough. Passes embedded HTML through. Throws
 * HtmlProblem if the Markdown is too long.
 */
export function markdownToHtml(markdown: string): string {
  if (markdown.length > htmlLimits.valueChars)
    throw new HtmlProblem(`holds more than ${htmlLimits.valueChars} characters of Markdown`);
  parser ??= loadParser();
  const tokens = parser.parse(markdown, {});
  if (addressChars(tokens) > htmlLimits.valueChars)
    throw new HtmlProblem(`repeats its links to more than ${htmlLimits.valueChars} characters`);
  return parser.renderer.render(tokens, parser.options, {});
}

// Loaded on first use, so that processes without Markdown neither wait for the parser nor keep it in memory.
function loadParser(): MarkdownIt {
  const Parser: ParserConstructor = createRequire(import.meta.url)('markdown-it');
  // The parser silently drops content nested deeper than `maxNesting`. Twice the limit of HTML makes that limit, which
  // reports an error, take effect first.
  const loaded = new Parser({ html: true, maxNesting: 2 * htmlLimits.depth });
  // Addresses are checked when links and pictures are written, by the same rules as in HTML.
  loaded.validateLink = () => true;
  return loaded;
}

/** The total length of all addresses and titles. A link definition counts each time it is used. */
function addressChars(tokens: readonly Token[]): number {
  let chars = 0;
  for (const { attrs, children } of tokens) {
    for (const [, value] of attrs ?? []) chars += String(value).length;
    if (children !== null) chars += addressChars(children);
  }
  return chars;
}
