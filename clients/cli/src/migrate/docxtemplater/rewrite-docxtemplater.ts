import { Untranslatable } from '../expressions/translate-javascript.ts';
import type { PartRewriter, Remark } from '../part-rewriter.ts';
import type { RewriteJob } from '../rewrite-part.ts';
import { type Delimiters, findTags, type SourceTag } from '../tags.ts';
import { closest } from '../word-file/layout.ts';
import type { WordPart } from '../word-file/open-word-file.ts';
import { readParagraphs } from '../word-file/paragraphs.ts';
import { translateTag } from './translate-tag.ts';

const defaults: Delimiters = { open: '{', close: '}' };

/**
 * Rewrites docxtemplater's tags, whose syntax matches Docmill's except for expressions, filters and loops over named
 * elements.
 */
export function rewriteDocxtemplater({ document }: WordPart, rewriter: PartRewriter, job: RewriteJob): void {
  const found = findTags(readParagraphs(document), job.delimiters ?? defaults, changedDelimiters);
  const open: OpenSection[] = [];
  for (const [order, tag] of found.tags.entries()) rewriteTag({ tag, order, open, rewriter, job });
  for (const { tag } of open) rewriter.leave(tag, { reason: `The section ${tag.written} is not closed.` });
  rewriter.addLooseTexts(found, true);
}

/** `=[[ ]]=` changes the delimiters of all following tags. */
function changedDelimiters(inner: string, current: Delimiters): Delimiters {
  const [, open, close] = /^=\s*(\S+)\s+(\S+)\s*=$/.exec(inner) ?? [];
  return open === undefined || close === undefined ? current : { open, close };
}

interface OpenSection {
  readonly tag: SourceTag;
  /** The element of `{-w:tr rows}`. */
  readonly element: string | undefined;
  readonly text: string;
  /** The name as written, which the closing tag repeats. */
  readonly name: string;
  /** The number of tags before it. */
  readonly order: number;
}

const unknown: Remark = { reason: 'Docmill has no equivalent of this tag.' };

const paid: Readonly<Record<string, Remark>> = {
  '@': { reason: 'Docmill inserts no raw XML. HTML and Markdown are possible: {~name}, {~md:name}.' },
  '>': { reason: 'Upload the other template, and include it in a paragraph of its own.', write: '{include "name"}' },
  ':': { reason: 'Docmill has no such tables. Repeat a row with {#rows}…{/rows} and a column with {|columns}.' },
  $: { reason: 'Docmill fills a chart from tags in its title and its cells.' },
  '*': unknown,
};

interface Step {
  readonly tag: SourceTag;
  readonly order: number;
  readonly open: OpenSection[];
  readonly rewriter: PartRewriter;
  readonly job: RewriteJob;
}

function rewriteTag(step: Step): void {
  const { tag, open, rewriter, job } = step;
  const { inner } = tag;
  const prefix = inner.charAt(0);
  const rest = inner.slice(1).trim();
  try {
    if (changedDelimiters(inner, defaults) !== defaults) rewriter.rewrite(tag, '');
    else if (prefix === '#' || prefix === '^') openSection(step, prefix, rest);
    else if (prefix === '/') closeSection(tag, open, rewriter);
    else if (/^-[\w:]+\s/.test(inner)) openElement(step);
    else if (prefix === '%') {
      job.data.add(
        'Send pictures as base64 or a data URL, or as {"data": …, "width": "3cm"}. Docmill loads no addresses or files.',
      );
      rewriter.rewrite(tag, `{${inner}}`);
    } else if (prefix === '~') {
      const html = inner.replace(/^~+/, '').trim();
      if (/^[$!]/.test(html)) rewriter.leave(tag, unknown);
      else rewriter.rewrite(tag, `{~${html}}`);
    } else if (/^:include\s/.test(inner)) rewriter.leave(tag, paid['>'] ?? unknown);
    else if (Object.hasOwn(paid, prefix) && !(prefix === '$' && /^\$\w+$/.test(inner))) {
      rewriter.leave(tag, paid[prefix] ?? unknown);
    } else {
      const { text, check } = translateTag(inner);
      rewriter.rewrite(tag, isSameText(text, inner) && isInBraces(tag) ? tag.written : `{${text}}`, check);
    }
  } catch (error) {
    if (!(error instanceof Untranslatable)) throw error;
    rewriter.leave(tag, { reason: error.message, write: error.write });
  }
}

const isInBraces = ({ written }: SourceTag): boolean => /^\{(?!\{)/.test(written);

const isSameText = (a: string, b: string): boolean => a.replace(/\s/g, '') === b.replace(/\s/g, '');

function openSection(step: Step, prefix: string, rest: string): void {
  const { tag, order, open, rewriter } = step;
  const { text, check } = translate(step, rest);
  open.push({ tag, element: undefined, text, name: rest, order });
  const isSame = isSameText(text, rest) && isInBraces(tag);
  rewriter.rewrite(tag, isSame ? tag.written : `{${prefix}${text}}`, check);
}

/** A section that is left unchanged keeps its closing tag. */
function translate({ tag, order, open }: Step, text: string): ReturnType<typeof translateTag> {
  try {
    return translateTag(text);
  } catch (error) {
    open.push({ tag, element: 'left', text, name: text, order });
    throw error;
  }
}

/**
 * `{-w:p list}` repeats the paragraph, `{-w:tr list}` the row around its tags. `{-w:tbl list}` is the same in both
 * engines.
 */
function openElement(step: Step): void {
  const { tag, order, open, rewriter } = step;
  const [, element = '', rest = ''] = /^-(\S+)\s+(.*)$/s.exec(tag.inner) ?? [];
  if (element === 'w:tbl') {
    const { text, check } = translate(step, rest);
    open.push({ tag, element: undefined, text, name: rest, order });
    rewriter.rewrite(tag, isSameText(text, rest) && isInBraces(tag) ? tag.written : `{-w:tbl ${text}}`, check);
    return;
  }
  if (element !== 'w:p' && element !== 'w:tr') {
    open.push({ tag, element: 'left', text: rest, name: rest, order });
    const write = element === 'w:tc' ? `{|${rest}}` : undefined;
    rewriter.leave(tag, { reason: `Docmill repeats paragraphs, rows, columns and tables, and not ${element}.`, write });
    return;
  }
  const { text } = translate(step, rest);
  open.push({ tag, element, text, name: rest, order });
}

function closeSection(tag: SourceTag, open: OpenSection[], rewriter: PartRewriter): void {
  const section = open.pop();
  const name = tag.inner.slice(1).trim();
  if (section === undefined) {
    rewriter.leave(tag, { reason: 'It closes no section.' });
  } else if (name !== '' && !isSameText(name, section.name)) {
    const reason = `${section.tag.written} and ${tag.written} do not belong together: their names differ.`;
    for (const one of [section.tag, tag]) rewriter.leave(one, { reason });
  } else if (section.element === 'left') {
    rewriter.leave(tag, { reason: `It closes ${section.tag.written}, which stays as it is.` });
  } else if (section.element !== undefined) {
    closeElement(section, tag, rewriter);
  } else {
    const isName = /^[\p{L}\p{N}_. $-]*$/u.test(name) && name === section.text;
    const text = isName ? `{/${name}}` : '{/}';
    rewriter.rewrite(tag, isSameText(text, tag.written) ? tag.written : text);
  }
}

function closeElement({ tag, element, text, order }: OpenSection, closing: SourceTag, rewriter: PartRewriter): void {
  const first = closest(tag.paragraph.element, element ?? '');
  const last = closest(closing.paragraph.element, element ?? '');
  if (first === undefined || last === undefined || first.parentNode !== last.parentNode) {
    const reason = `The tags are not inside ${element ?? ''} elements of the same table or page.`;
    rewriter.leave(tag, { reason });
    rewriter.leave(closing, { reason });
    return;
  }
  rewriter.rewrite(tag, '');
  rewriter.rewrite(closing, '');
  const kind = element === 'w:tr' ? 'rows' : 'blocks';
  rewriter.wrap({ kind, order, first, last, open: `{#${text}}`, close: '{/}' });
}
