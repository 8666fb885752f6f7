import { markBraces, unmarkBraces } from './delimiters.ts';
import { isPlainName } from './expressions/names.ts';
import { checkExpression } from './expressions/parse-tag-text.ts';
import { foreignSyntax } from './foreign-syntax.ts';
import { withoutHiddenNumbers } from './hidden-number.ts';
import { blockHelper, pairStatements, type Statement } from './pair-statements.ts';
import { type ParsedTag, parseTag, type TagSyntaxes, tagProblem } from './tag.ts';
import { breakInParagraph, breakInTag, endOfParagraph } from './text-marks.ts';

export interface ScannedTag extends ParsedTag {
  /** The tag as written, including its braces. */
  readonly written: string;
  /** Its offset in the extracted text. */
  readonly offset: number;
}

export interface TagProblem {
  readonly message: string;
  readonly tag: string;
  readonly offset: number;
  readonly hint?: string | undefined;
  /** Set on tags of blocks in other template languages. */
  readonly statement?: Statement | undefined;
}

export interface TagScan {
  readonly tags: readonly ScannedTag[];
  readonly problems: readonly TagProblem[];
  /** Whether there are more than `maxTags` tags and problems, so that the rest was not read. */
  readonly isCut: boolean;
}

const marks = /[{}\f]/g;
const maxQuoteLength = 60;

interface TagRules {
  readonly syntaxes: TagSyntaxes;
  /** Whether tags of other template languages are problems. Otherwise they count as names, if they can be names. */
  readonly isStrict: boolean;
}

/** Finds at most `maxTags` tags in a part's extracted text, and every unmatched brace. */
export function scanTags(text: string, maxTags: number, rules: TagRules): TagScan {
  const tags: ScannedTag[] = [];
  const problems: TagProblem[] = [];
  let open = -1;
  for (const match of text.matchAll(marks)) {
    const at = match.index;
    if (match[0] === '}') {
      if (open === -1) problems.push(unopened(text, at));
      else addTag(text.slice(open, at + 1), open, { tags, problems, ...rules });
      open = -1;
    } else {
      if (open !== -1) problems.push(unclosed(text, open, at));
      open = match[0] === '{' ? at : -1;
    }
    if (tags.length + problems.length > maxTags) return { tags, problems, isCut: true };
  }
  if (open !== -1) problems.push(unclosed(text, open, text.length));
  return { tags, problems: pairStatements(mergeRepeatedBraces(text, problems, rules), tags), isCut: false };
}

interface Found extends TagRules {
  readonly tags: ScannedTag[];
  readonly problems: TagProblem[];
}

function addTag(source: string, offset: number, { tags, problems, syntaxes, isStrict }: Found): void {
  const written = plain(source);
  const inner = unmarkBraces(written.slice(1, -1));
  const tag = { ...parseTag(inner, syntaxes), written: quote(written), offset };
  const refused = isSplit(source, tag, syntaxes) ? splitName : tagProblem(tag);
  const check = tag.syntax?.check ?? checkExpression;
  const foreign = isStrict ? foreignSyntax(inner) : undefined;
  const problem = foreign ?? (refused === undefined && tag.kind !== 'close' ? check(tag.text) : { message: refused });
  const opens = tag.kind === 'section' || tag.kind === 'inverted';
  // An invalid tag still opens a section, so that its closing tag is not reported as a second mistake.
  if (problem?.message === undefined || opens) tags.push(tag);
  if (problem?.message !== undefined) {
    const message = `the tag ${tag.written} is not valid: ${problem.message}`;
    problems.push({ message, tag: tag.written, offset, hint: problem.hint, statement: foreign?.statement });
  }
}

const splitName = 'a tab or a line break splits its name';

/** Whether the tag is a name that contains a break. In an expression, a break counts as a space. */
function isSplit(source: string, { kind, syntax }: ParsedTag, syntaxes: TagSyntaxes): boolean {
  if (syntax?.isExpression === false || kind === 'close' || !source.includes(breakInTag)) return false;
  const [name = ''] = parseTag(source.slice(1, -1), syntaxes).text.split('|', 1);
  return name.trim().includes(breakInTag) && isPlainName(name.trim());
}

function unopened(text: string, at: number): TagProblem {
  if (text[at - 1] === '}') {
    const tag = quote(plain(text.slice(Math.max(text.lastIndexOf('{', at), at - 30), at + 1)));
    return { message: `the tag that ends with "${tag}" has an extra closing brace`, tag, offset: at };
  }
  const start = Math.max(text.lastIndexOf('}', at - 1), text.lastIndexOf(endOfParagraph, at - 1)) + 1;
  const before =
    plain(spaced(text.slice(Math.max(start, at - 30), at)))
      .split(/\s/)
      .at(-1) ?? '';
  const tag = quote(`${before}}`);
  const hint = 'write the opening brace, or \\} for a brace that is text';
  return { message: `the tag that ends with "${tag}" has no opening brace "{"`, tag, offset: at, hint };
}

const unclosedHint = 'write the closing brace, or \\{ for a brace that is text';

function unclosed(text: string, open: number, end: number): TagProblem {
  if (end === open + 1 && text[end] === '{') {
    const tag = quote(plain(/^\{[^}\f\s]{0,30}\}?/.exec(text.slice(end))?.[0] ?? '{'));
    return { message: `the tag ${tag} has an extra opening brace`, tag: `{${tag}`, offset: open };
  }
  const whole = text.slice(open, Math.min(end, open + 40));
  const [tag = ''] = plain(spaced(whole)).split(/\s/, 1).map(quote);
  const message = `the tag that starts with "${tag}" has no closing brace "}" in its paragraph`;
  const isBroken = whole.charAt(whole.search(/\s/)) === breakInParagraph;
  return { message, tag, offset: open, hint: isBroken ? 'close it before the tab or the line break' : unclosedHint };
}

const repeatedBraces = /^(?:\{{3}[^{}\f]*\}{3}|\{{2}[^{}\f]*\}{2})/;

/** Reports the problems that the scanner finds in `{{name}}` or `{{{name}}}` as one mistake. */
function mergeRepeatedBraces(text: string, problems: readonly TagProblem[], { isStrict }: TagRules): TagProblem[] {
  const merged: TagProblem[] = [];
  let end = -1;
  for (const problem of problems) {
    if (problem.offset < end) continue;
    const found = repeatedBraces.exec(text.slice(problem.offset, problem.offset + 200))?.[0];
    if (found === undefined) {
      merged.push(problem);
      continue;
    }
    end = problem.offset + found.length;
    const written = plain(found);
    const isTriple = written.startsWith('{{{');
    const braces = isTriple ? 3 : 2;
    const inner = unmarkBraces(written.slice(braces, -braces));
    const foreign = isStrict ? foreignSyntax(inner) : undefined;
    const tag = quote(written);
    const problemOfBraces = isTriple ? 'has triple braces: values are always escaped' : 'has double braces';
    const message = `the tag ${tag} ${foreign === undefined ? problemOfBraces : `is not valid: ${foreign.message}`}`;
    const hint = foreign?.hint ?? repeatedBracesHint(inner, isTriple);
    const statement = foreign?.statement ?? blockEnd(inner);
    merged.push({ message, tag, offset: problem.offset, hint, statement });
  }
  return merged;
}

/** `{{/if}}` is an end that Handlebars names by the word of its block; `{/if}` may close a section of that name. */
function blockEnd(inner: string): Statement | undefined {
  const [, name = ''] = /^\s*\/\s*(\w+)\s*$/.exec(inner) ?? [];
  return blockHelper.test(name) ? { step: 'end' } : undefined;
}

function repeatedBracesHint(inner: string, isTriple: boolean): string {
  const isTag = inner.length <= maxQuoteLength && checkExpression(inner) === undefined;
  const rewrite = isTag || /^[#^/@%|]/.test(inner.trim()) ? [`write {${inner}}`] : [];
  const upload = isTriple ? [] : ['upload the template with the delimiters of its tags'];
  return [...rewrite, ...upload].join(', or ') || 'write one brace on each side';
}

/** The extracted text with breaks replaced by spaces. */
export function spaced(text: string): string {
  return text.replaceAll(breakInParagraph, ' ');
}

/** The extracted text unescaped, with breaks and newlines replaced by spaces, and marks in place of braces that are text. */
export function plain(text: string): string {
  const numberless = withoutHiddenNumbers(text).replaceAll(breakInParagraph, '');
  const unbroken = numberless.replaceAll(endOfParagraph, ' ').replaceAll(breakInTag, ' ');
  return unbroken.includes('&') ? unescapeXml(markBraces(unbroken)) : unbroken;
}

function unescapeXml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}

/** The beginning of a long tag. */
export function quote(text: string): string {
  return text.length <= maxQuoteLength ? text : `${text.slice(0, maxQuoteLength)}…`;
}
