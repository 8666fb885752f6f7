import type { Expression, TagParser } from '../../language/scope.ts';
import type { HtmlNode, LiftedHtml } from './html-node.ts';

export interface HtmlSurroundings {
  readonly parser: TagParser;
  /** The `w:rPr` of the run, undefined outside of Word runs. */
  readonly runProperties: string | undefined;
  readonly mayLink: boolean;
}

/** The node of `{~html}`, of whose text only what follows `~` is the formula. */
export function buildHtml(
  { value, html }: { readonly value: string; readonly html?: LiftedHtml },
  { parser, runProperties, mayLink }: HtmlSurroundings,
): HtmlNode {
  const isKeeper = html?.isKeeper === true;
  return {
    kind: 'html',
    expression: isKeeper ? nothing : parser(value.trim().slice(1).trim()),
    tag: isKeeper ? '' : value.trim(),
    runProperties: html === undefined ? runProperties : html.runProperties,
    paragraph: html,
    mayLink: html === undefined ? mayLink : true,
    mark: html === undefined ? undefined : 'has-paragraph',
  };
}

const nothing: Expression = { evaluate: () => '', locate: () => 'data', uses: () => [] };
