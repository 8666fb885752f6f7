import type { Element, Node } from '@xmldom/xmldom';
import type { PartRewriter } from '../part-rewriter.ts';
import type { RewriteJob } from '../rewrite-part.ts';
import { type Delimiters, findTags, type SourceTag } from '../tags.ts';
import { closest } from '../word-file/layout.ts';
import type { WordPart } from '../word-file/open-word-file.ts';
import { isElement, readParagraphs } from '../word-file/paragraphs.ts';
import { pictureProperties } from '../word-file/picture-properties.ts';

const defaults: Delimiters = { open: '{', close: '}' };

const typed =
  'Values with _type: write {%name} for an image and send {"data": …, "width": …}; for a link write {name.text | link:name.target}.';

/** Rewrites the tags of easy-template-x. Names and loops match Docmill's; options and custom delimiters do not. */
export function rewriteEasyTemplateX({ document }: WordPart, rewriter: PartRewriter, job: RewriteJob): void {
  const found = findTags(readParagraphs(document), job.delimiters ?? defaults);
  if (found.tags.length > 0) job.data.add(typed);
  const open: Open[] = [];
  for (const [order, tag] of found.tags.entries()) rewriteTag(tag, order, open, rewriter);
  for (const { tag } of open) rewriter.leave(tag, { reason: `The section ${tag.written} is not closed.` });
  rewriter.addLooseTexts(found, true);
  for (const element of pictureProperties(document)) {
    const [, name] = /^\{([^{}#/%][^{}]*)\}$/.exec(element.getAttribute('descr')?.trim() ?? '') ?? [];
    if (name !== undefined) rewriter.rewriteAltText(element, `{%${name.trim()}}`);
  }
}

interface Open {
  readonly tag: SourceTag;
  readonly order: number;
  readonly name: string;
  /** The value of the `loopOver` option. */
  readonly over: string | undefined;
}

function rewriteTag(tag: SourceTag, order: number, open: Open[], rewriter: PartRewriter): void {
  const [, text = '', options] = /^(.*?)\s*(?:\[([^[\]]*)\])?$/s.exec(tag.inner) ?? [];
  const [, over] = /\bloopOver["']?\s*:\s*["“”'](\w+)["“”']/.exec(options ?? '') ?? [];
  const prefix = text.charAt(0);
  if (prefix === '#') open.push({ tag, order, name: text.slice(1).trim(), over });
  else if (prefix === '/') closeSection(tag, open, rewriter);
  else {
    const problem = nameProblem(text.trim());
    if (problem === undefined)
      rewriter.rewrite(tag, isInBraces(tag) && options === undefined ? tag.written : `{${text.trim()}}`);
    else rewriter.leave(tag, { reason: problem });
  }
}

const isInBraces = ({ written }: SourceTag): boolean => /^\{(?!\{)/.test(written);

/** easy-template-x accepts any text as a name; Docmill reads some characters as an expression or another tag. */
function nameProblem(name: string): string | undefined {
  if (name === '') return 'The name is missing.';
  if (/^[@=~%^|>]/.test(name))
    return `Docmill reads ${name.charAt(0)} at the start as another kind of tag. Rename the key.`;
  return /[|*+<>=!?[\]"'`;]|\s-\s/.test(name) ? 'Docmill reads this as an expression. Rename the key.' : undefined;
}

function closeSection(tag: SourceTag, open: Open[], rewriter: PartRewriter): void {
  const section = open.pop();
  if (section === undefined) {
    rewriter.leave(tag, { reason: 'It closes no section.' });
    return;
  }
  const { name, over } = section;
  const cells = [section.tag, tag].map(({ paragraph }) => closest(paragraph.element, 'w:tc'));
  const problem = nameProblem(name) ?? (isColumn(section, tag) ? columns : undefined);
  if (problem !== undefined) {
    rewriter.leave(section.tag, { reason: problem, write: problem === columns ? `{|${name}}` : undefined });
    rewriter.leave(tag, { reason: problem });
  } else if (over === 'row' || over === 'paragraph') {
    placeSection(section, tag, over, rewriter);
  } else if (over === 'content' && cells[0] !== cells[1]) {
    const reason = 'Docmill repeats whole rows when the tags are in different cells.';
    rewriter.leave(section.tag, { reason });
    rewriter.leave(tag, { reason });
  } else {
    const isSame = isInBraces(section.tag) && over === undefined;
    rewriter.rewrite(section.tag, isSame ? section.tag.written : `{#${name}}`);
    const closing = tag.inner.slice(1).trim();
    const close = closing === name ? `{/${name}}` : '{/}';
    rewriter.rewrite(tag, close.replace(/\s/g, '') === tag.written.replace(/\s/g, '') ? tag.written : close);
  }
}

const columns = 'easy-template-x repeats the column. In Docmill a tag in the first cell of the column does.';

/** Whether the tags are in the same column of different rows, or have the option. */
function isColumn({ tag, over }: Open, last: SourceTag): boolean {
  if (over !== undefined) return over === 'column';
  const [from, to] = [tag, last].map(({ paragraph }) => closest(paragraph.element, 'w:tc'));
  if (from === undefined || to === undefined || from === to || from.parentNode === to.parentNode) return false;
  const place = (cell: typeof from): number => [...cells(cell.parentNode?.firstChild ?? null)].indexOf(cell);
  return place(from) === place(to) && from.parentNode?.parentNode === to.parentNode?.parentNode;
}

function* cells(first: Node | null): Generator<Element> {
  for (let node = first; node !== null; node = node.nextSibling)
    if (isElement(node) && node.nodeName === 'w:tc') yield node;
}

/** `loopOver` repeats the rows or paragraphs that contain the tags. */
function placeSection(
  { tag, order, name }: Open,
  closing: SourceTag,
  over: 'row' | 'paragraph',
  rewriter: PartRewriter,
): void {
  const element = over === 'row' ? 'w:tr' : 'w:p';
  const first = closest(tag.paragraph.element, element);
  const last = closest(closing.paragraph.element, element);
  if (first === undefined || last === undefined || first.parentNode !== last.parentNode) {
    const reason = 'The tags are not in rows or paragraphs of the same table or page.';
    rewriter.leave(tag, { reason });
    rewriter.leave(closing, { reason });
    return;
  }
  rewriter.rewrite(tag, '');
  rewriter.rewrite(closing, '');
  rewriter.wrap({ kind: over === 'row' ? 'rows' : 'blocks', order, first, last, open: `{#${name}}`, close: '{/}' });
}
