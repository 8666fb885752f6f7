import { type Piece, textOf } from '../expressions/docmill-text.ts';
import { Untranslatable } from '../expressions/translate-javascript.ts';
import type { PartRewriter, Remark } from '../part-rewriter.ts';
import type { RewriteJob } from '../rewrite-part.ts';
import { findTags, type SourceTag } from '../tags.ts';
import type { WordPart } from '../word-file/open-word-file.ts';
import { readParagraphs } from '../word-file/paragraphs.ts';
import { applyFormatters } from './apply-formatters.ts';
import { chainOf, findLoops, type Loop, type LoopedTag, type ParsedTag } from './find-loops.ts';
import { parseTag } from './parse-tag.ts';
import { placeLoop } from './place-loops.ts';
import { resolveArgument, resolveList, resolveTag, type Scope } from './resolve-path.ts';

/** Rewrites Carbone's tags: values with formatters, conditions, and lists marked by `[i]` and `[i+1]`. */
export function rewriteCarbone({ document }: WordPart, rewriter: PartRewriter, job: RewriteJob): void {
  const found = findTags(readParagraphs(document), { open: '{', close: '}' });
  const parsed = parseAll(found.tags, rewriter, job);
  const { tags, loops } = findLoops(parsed);
  const failed = placeLoops(tags, loops, rewriter, job);
  const open: ('left' | 'section')[] = [];
  for (const tag of tags) rewriteTag({ tag, loops }, open, { failed, rewriter, job });
  rewriter.addLooseTexts(found, true);
}

/** Resolves aliases: removes their definitions, and replaces their uses by the aliased text. */
function parseAll(tags: readonly SourceTag[], rewriter: PartRewriter, job: RewriteJob): readonly ParsedTag[] {
  const definition = /^#\s*([\p{L}_$][\p{L}\p{N}_]*)\s*=\s*(.+)$/su;
  for (const tag of tags) {
    const [, name, path] = definition.exec(tag.inner) ?? [];
    if (name === undefined || path === undefined) continue;
    job.aliases.set(name, path.trim());
    rewriter.rewrite(tag, '');
  }
  return tags.flatMap((tag) => {
    if (rewriter.isSettled(tag)) return [];
    try {
      return [{ tag, parsed: parseTag(expand(tag.inner, job.aliases)) }];
    } catch (error) {
      if (!(error instanceof Untranslatable)) throw error;
      rewriter.leave(tag, { reason: error.message, ...remarkOf(tag.inner), write: error.write });
      return [];
    }
  });
}

function expand(inner: string, aliases: ReadonlyMap<string, string>): string {
  const [whole = '', name = ''] = /^\$([\p{L}_$][\p{L}\p{N}_]*)/u.exec(inner) ?? [];
  const path = aliases.get(name);
  return path === undefined ? inner : path + inner.slice(whole.length);
}

function remarkOf(inner: string): Partial<Remark> {
  if (/^[dc][.[]/.test(inner)) return {};
  if (/^t\(/.test(inner)) return { reason: 'Docmill has no translations. Write the text, or send it as a value.' };
  if (/^o\./.test(inner))
    return { reason: 'Docmill has no options in templates. Remove the tag; see output of a request.' };
  if (/^[#$]/.test(inner)) return { reason: 'Docmill has no aliases with parameters. Write the path.' };
  return {
    reason: 'Carbone prints this text as it is. Docmill reads braces as a tag. To print a brace, send it as a value.',
  };
}

interface Work {
  /** Loops that are left unchanged. */
  readonly failed: ReadonlyMap<Loop, Remark>;
  readonly rewriter: PartRewriter;
  readonly job: RewriteJob;
}

function placeLoops(
  tags: readonly LoopedTag[],
  loops: readonly Loop[],
  rewriter: PartRewriter,
  job: RewriteJob,
): ReadonlyMap<Loop, Remark> {
  const failed = new Map<Loop, Remark>();
  for (const loop of loops.toSorted((a, b) => a.depth - b.depth)) {
    const tag = tags.find((one) => one.tag === loop.first);
    const outer = chainOf(loop.parent).find((one) => failed.has(one));
    try {
      if (outer !== undefined) throw new Untranslatable('The list around it stays as it is.');
      if (tag === undefined) throw new Untranslatable('The list has no example.');
      placeLoop(loop, resolveList(loop, { tag: { ...tag, loop: loop.parent }, loops }), loop.depth, rewriter);
      if (loop.root === 'd' && loop.parent === undefined && loop.list.length === 0) job.data.add(rootList);
    } catch (error) {
      if (!(error instanceof Untranslatable)) throw error;
      failed.set(loop, { reason: error.message, write: error.write });
    }
  }
  return failed;
}

const rootList = 'Carbone\'s data is a list. Docmill\'s is an object: send {"d": [ … ]}.';
const complement = 'Send the complement below the key c: {"c": { … }}.';
const properties =
  'att and val are the keys and values of an object in Carbone. Docmill repeats lists: send [{"att": …, "val": …}].';

function rewriteTag(scope: Scope, open: ('left' | 'section')[], { failed, rewriter, job }: Work): void {
  const { tag: looped } = scope;
  const { tag, parsed, loop, isNext } = looped;
  const remark = chainOf(loop)
    .map((one) => failed.get(one))
    .find((one) => one !== undefined);
  if (remark !== undefined || isNext) {
    const missing = loop === undefined ? { reason: 'There is no tag with [i] before it.' } : undefined;
    const problem = remark ?? missing;
    if (problem === undefined) rewriter.count(tag, 'rewritten');
    else rewriter.leave(tag, problem);
    return;
  }
  if (parsed.root === 'c') job.data.add(complement);
  if (parsed.root === 'd' && parsed.segments[0]?.kind === 'brackets') job.data.add(rootList);
  try {
    rewriteValue(scope, open, rewriter, job);
  } catch (error) {
    if (!(error instanceof Untranslatable)) throw error;
    if (parsed.formatters.some(({ name }) => /^(?:show|hide)Begin$/.test(name))) open.push('left');
    rewriter.leave(tag, { reason: error.message, write: error.write });
  }
}

function rewriteValue(scope: Scope, open: ('left' | 'section')[], rewriter: PartRewriter, job: RewriteJob): void {
  const { tag, rest, loop, parsed } = scope.tag;
  const checks: string[] = [];
  if (parsed.formatters.at(-1)?.name === 'showEnd' || parsed.formatters.at(-1)?.name === 'hideEnd') {
    closeSection(tag, open, rewriter);
    return;
  }
  const [only] = rest;
  if (loop !== undefined && rest.length === 1 && only?.kind === 'name' && /^(?:att|val)$/.test(only.name)) {
    job.data.add(properties);
    checks.push('The list may be an object in the data.');
  }
  const { value, formatters } = resolveTag(scope);
  const result = applyFormatters(value, formatters, {
    argument: (argument) => resolveArgument(argument, scope),
    check: (reason) => checks.push(reason),
    data: (sentence) => job.data.add(sentence),
  });
  const check = checks.length === 0 ? undefined : { reason: checks.join(' ') };
  if (result.kind === 'begin') {
    open.push('section');
    rewriter.rewrite(tag, `{${result.isHidden ? '^' : '#'}${result.condition.text}}`, check);
  } else if (result.kind === 'html') rewriter.rewrite(tag, `{~${result.piece.text}}`, check);
  else if (result.kind === 'barcode') rewriter.rewrite(tag, barcode(result.piece, result.type), check);
  else if (result.kind === 'value') rewriter.rewrite(tag, `{${textOf(result.piece)}}`, check);
}

function closeSection(tag: SourceTag, open: ('left' | 'section')[], rewriter: PartRewriter): void {
  const section = open.pop();
  if (section === 'section') rewriter.rewrite(tag, '{/}');
  else rewriter.leave(tag, { reason: section === 'left' ? 'Its beginning stays as it is.' : 'It ends nothing.' });
}

function barcode(piece: Piece, type: string): string {
  return type === 'qrcode' ? `{%qr ${piece.text}}` : `{%barcode ${piece.text} "${type.replace(/[^\w-]/g, '')}"}`;
}
