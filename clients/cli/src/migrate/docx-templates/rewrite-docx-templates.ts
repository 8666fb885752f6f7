import { levels, not, type Piece, pipe, type Segment, textOf, within } from '../expressions/docmill-text.ts';
import { translateJavaScript, translateObject, Untranslatable } from '../expressions/translate-javascript.ts';
import type { PartRewriter, Remark } from '../part-rewriter.ts';
import type { RewriteJob } from '../rewrite-part.ts';
import { type Delimiters, findTags, type SourceTag } from '../tags.ts';
import { closest } from '../word-file/layout.ts';
import type { WordPart } from '../word-file/open-word-file.ts';
import { readParagraphs } from '../word-file/paragraphs.ts';
import { type Command, parseCommand } from './parse-command.ts';
import { type Loop, resolveIn } from './scopes.ts';

const defaults: Delimiters = { open: '+++', close: '+++' };

/** Rewrites the commands of docx-templates; JavaScript becomes an expression where Docmill has an equivalent. */
export function rewriteDocxTemplates({ document }: WordPart, rewriter: PartRewriter, job: RewriteJob): void {
  const found = findTags(readParagraphs(document), job.delimiters ?? defaults);
  const commands = found.tags.map((tag) => [tag, parseCommand(tag.inner, job.aliases)] as const);
  for (const [, command] of commands) if (command.kind === 'alias') job.aliases.set(command.name, command.command);
  const parsed = found.tags.map((tag) => ({ tag, command: parseCommand(tag.inner, job.aliases) }));
  const pass: Pass = { open: [], loops: new Map(), structures: new Set(), rewriter: undefined, job };
  for (const { tag, command } of parsed) rewriteCommand(tag, command, pass);
  const last: Pass = { ...pass, open: [], rewriter };
  for (const { tag, command } of parsed) rewriteCommand(tag, command, last);
  for (const { tag } of last.open) rewriter.leave(tag, { reason: `${tag.written} has no end.` });
  rewriter.addLooseTexts(found, true);
}

interface Open {
  readonly kind: 'for' | 'if';
  readonly tag: SourceTag;
  readonly loop: Loop | undefined;
  /** Why it is left unchanged, if it is. */
  readonly left: Remark | undefined;
  readonly close: string;
}

/** One pass over the tags. The first, without a rewriter, collects names; the second rewrites. */
interface Pass {
  readonly open: Open[];
  readonly loops: Map<SourceTag, Loop>;
  /** Paths of lists and objects. */
  readonly structures: Set<string>;
  readonly rewriter: PartRewriter | undefined;
  readonly job: RewriteJob;
}

const pictures = 'Send pictures as base64 or a data URL, or as {"data": …, "width": "3cm"}, below the name of the tag.';

function rewriteCommand(tag: SourceTag, command: Command, pass: Pass): void {
  const { open, rewriter, job } = pass;
  try {
    switch (command.kind) {
      case 'alias':
        rewriter?.rewrite(tag, '');
        break;
      case 'insert': {
        if (command.code === '') throw new Untranslatable('The command is empty.');
        const { piece, checks } = translate(command.code, pass);
        rewriter?.rewrite(tag, `{${textOf(piece)}}`, remark(checks));
        break;
      }
      case 'for':
        beginFor(tag, command, pass);
        break;
      case 'if':
        beginIf(tag, command.code, pass);
        break;
      case 'end-for':
        end(tag, 'for', pass, command.variable);
        break;
      case 'end-if':
        end(tag, 'if', pass);
        break;
      case 'image':
        job.data.add(pictures);
        rewriter?.rewrite(tag, `{%${pathOf(command.code, pass, 'image')}}`);
        break;
      case 'html':
        rewriter?.rewrite(tag, `{~${pathOf(command.code, pass, 'html')}}`);
        break;
      case 'link':
        rewriter?.rewrite(tag, `{${link(command.code, pass).text}}`);
        break;
      case 'exec':
        throw new Untranslatable('Docmill runs no JavaScript. Calculate the values before you send them.');
      case 'query':
        throw new Untranslatable('Docmill fetches nothing. Send the data with the request and remove the command.');
    }
  } catch (error) {
    if (!(error instanceof Untranslatable)) throw error;
    const left = { reason: error.message, write: error.write };
    if (command.kind === 'for')
      open.push({ kind: 'for', tag, loop: loopOf(tag, command.variable, pass), left, close: '' });
    if (command.kind === 'if') open.push({ kind: 'if', tag, loop: undefined, left, close: '' });
    rewriter?.leave(tag, left);
  }
}

const remark = (checks: readonly string[]): Remark | undefined =>
  checks.length === 0 ? undefined : { reason: checks.join(' ') };

const loopsOf = ({ open }: Pass): readonly Loop[] => open.flatMap(({ loop }) => (loop === undefined ? [] : [loop]));

function translate(code: string, pass: Pass): ReturnType<typeof translateJavaScript> {
  const resolve = resolveIn(loopsOf(pass));
  return translateJavaScript(code, (segments, isHolder = false) => {
    if (isHolder) pass.structures.add(keyOf(segments));
    // A path with further segments must be an object.
    for (let i = 1; i < segments.length; i++) pass.structures.add(keyOf(segments.slice(0, i)));
    return resolve(segments);
  });
}

const keyOf = (segments: readonly Segment[]): string =>
  segments.map((one) => (typeof one === 'object' ? '*' : String(one))).join('.');

function loopOf(tag: SourceTag, variable: string, { loops }: Pass): Loop {
  const known = loops.get(tag) ?? { variable, names: new Set<string>() };
  loops.set(tag, known);
  return known;
}

function beginFor(tag: SourceTag, { variable, code }: Command & { kind: 'for' }, pass: Pass): void {
  if (variable === '' || code === '') throw new Untranslatable('The list of FOR is missing.');
  const { piece, checks } = translate(code, pass);
  pass.structures.add(code.trim());
  pass.rewriter?.rewrite(tag, `{#${textOf(piece)}}`, remark(checks));
  const close = /^[\p{L}\p{N}_$.]+$/u.test(piece.text) ? `{/${piece.text}}` : '{/}';
  pass.open.push({ kind: 'for', tag, loop: loopOf(tag, variable, pass), left: undefined, close });
}

/** Used as a condition, a list or an object must not repeat content or change the scope of names. */
function beginIf(tag: SourceTag, code: string, pass: Pass): void {
  const { piece, checks } = translate(code, pass);
  const isStructure = pass.structures.has(code.trim());
  const all = isStructure ? [...checks, 'An empty list counts as false in Docmill, as true in JavaScript.'] : checks;
  const condition = isStructure ? not(not(piece)) : piece;
  pass.rewriter?.rewrite(tag, `{#${textOf(condition)}}`, remark(all));
  pass.open.push({ kind: 'if', tag, loop: undefined, left: undefined, close: '{/}' });
}

function end(tag: SourceTag, kind: 'for' | 'if', { open, rewriter }: Pass, variable = ''): void {
  const begin = open.pop();
  if (begin === undefined || begin.kind !== kind) {
    if (begin !== undefined) open.push(begin);
    throw new Untranslatable('It ends nothing that is open here.');
  }
  if (begin.left !== undefined) {
    rewriter?.leave(tag, { reason: `It ends ${begin.tag.written}, which stays as it is.` });
  } else if (variable !== '' && variable !== begin.loop?.variable) {
    const reason = `${begin.tag.written} and ${tag.written} do not belong together: their names differ.`;
    for (const one of [begin.tag, tag]) rewriter?.leave(one, { reason });
  } else if (isAcrossCells(begin.tag, tag)) {
    const reason = 'It repeats or hides cells of a row. Docmill does so with whole columns of a table.';
    rewriter?.leave(begin.tag, { reason, write: '{|columns} in the cell to repeat' });
    rewriter?.leave(tag, { reason });
  } else rewriter?.rewrite(tag, begin.close);
}

/** Whether both tags are in different cells of the same row. */
function isAcrossCells(begin: SourceTag, last: SourceTag): boolean {
  const [from, to] = [begin, last].map(({ paragraph }) => closest(paragraph.element, 'w:tc'));
  if (from === undefined || to === undefined || from === to) return false;
  return closest(from, 'w:tr') === closest(to, 'w:tr');
}

/** The path of a value that is not a string; in Docmill, calls and calculations cannot produce one. */
function pathOf(code: string, pass: Pass, name: string): string {
  const { piece } = translate(code, pass);
  if (piece.level === levels.atom && /^[\p{L}\p{N}_$.[\]]+$/u.test(piece.text)) return piece.text;
  throw new Untranslatable(
    'Docmill prints such a value only if it is in the data. Send it and name it.',
    name === 'image' ? '{%image}' : '{~html}',
  );
}

function link(code: string, pass: Pass): Piece {
  const resolve = resolveIn(loopsOf(pass));
  const { url, label } = translateObject(code, resolve);
  if (url === undefined) throw new Untranslatable('The url of the link is missing.');
  return pipe(label ?? url, 'link', { text: within(url, levels.fallback), level: levels.fallback });
}
