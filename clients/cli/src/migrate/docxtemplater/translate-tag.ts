import { binary, levels, type Piece, pipe, within } from '../expressions/docmill-text.ts';
import { translateJavaScript, Untranslatable } from '../expressions/translate-javascript.ts';
import type { Remark } from '../part-rewriter.ts';

export interface TranslatedTag {
  readonly text: string;
  readonly check?: Remark | undefined;
}

/**
 * Translates the text of a docxtemplater tag, without its prefix: a name for its default parser, or an Angular
 * expression with filters. Throws Untranslatable.
 */
export function translateTag(source: string): TranslatedTag {
  const text = source.replace(/[’‘]/g, "'").replace(/[“”]/g, '"');
  if (text === 'this') return { text: '.' };
  if (text === '' || text === '.' || isName(text)) return { text: source };
  if (/^[\p{L}\p{N}_$]+(-[\p{L}\p{N}_$]+)+$/u.test(text)) {
    const reason = 'In Docmill this is a name. Did the expression parser subtract? Then write the tag with blanks.';
    return { text: source, check: { reason, write: `{${text.replaceAll('-', ' - ')}}` } };
  }
  const [input = '', ...filters] = splitOutside(text, '|');
  const checks: string[] = [];
  const first = translateJavaScript(dotAsThis(input));
  checks.push(...first.checks);
  let piece = first.piece;
  for (const filter of filters) piece = applyFilter(piece, filter, checks);
  return { text: piece.text, check: checks.length === 0 ? undefined : { reason: checks.join(' ') } };
}

/** Letters, digits, dots and spaces: a key in both engines. */
const isName = (text: string): boolean =>
  !text.startsWith('this.') && /^[\p{L}\p{N}_$]+(?:[. ][\p{L}\p{N}_$]+)*$/u.test(text) && !/(^|\.)length$/.test(text);

/** A lone `.` is the current item, also within expressions. */
const dotAsThis = (text: string): string => text.replace(/(^|[\s(+*|:/-])\.(?=[\s)+*|:/-]|$)/g, '$1this');

/** Filters of docxtemplater are functions of the application; these names are the common ones. */
const known: Readonly<Record<string, string>> = {
  upper: 'upper',
  uppercase: 'upper',
  toUpperCase: 'upper',
  lower: 'lower',
  lowercase: 'lower',
  toLowerCase: 'lower',
  capitalize: 'capitalize',
  trim: 'trim',
  size: 'count',
  length: 'count',
  count: 'count',
  join: 'join',
  sum: 'sum',
  sumBy: 'sum',
  sumby: 'sum',
  avg: 'avg',
  min: 'min',
  max: 'max',
  map: 'map',
  sort: 'sort',
  sortBy: 'sort',
  reverse: 'reverse',
  unique: 'unique',
  first: 'first',
  last: 'last',
  slice: 'slice',
  round: 'round',
  floor: 'floor',
  ceil: 'ceil',
  abs: 'abs',
  toFixed: 'number',
  number: 'number',
  currency: 'currency',
  percent: 'percent',
  date: 'date',
  default: 'default',
  replace: 'replace',
  truncate: 'truncate',
  json: 'json',
  where: 'where',
};

function applyFilter(input: Piece, source: string, checks: string[]): Piece {
  const [head = '', ...rest] = splitOutside(source, ':');
  const name = head.trim();
  const formatter = Object.hasOwn(known, name) ? known[name] : undefined;
  if (formatter === undefined) {
    throw new Untranslatable(
      `The filter ${name} is a function of your program. Use a formatter of Docmill, or send the result.`,
    );
  }
  checks.push(`The filter ${name} is a function of your program; compare it with Docmill's formatter ${formatter}.`);
  const [only] = rest;
  if (formatter === 'where' && only !== undefined && rest.length === 1) return whereOf(input, only.trim());
  const args = rest.map((one) => {
    const { piece, checks: more } = translateJavaScript(dotAsThis(one));
    checks.push(...more);
    return piece;
  });
  return pipe(input, formatter, ...args);
}

/** `where:'age > 18'`: the condition is a string. */
function whereOf(input: Piece, quotedCondition: string): Piece {
  const [, condition = ''] = /^(?:'(.*)'|"(.*)")$/s.exec(quotedCondition)?.filter((part) => part !== undefined) ?? [];
  const [, key = '', operator = '', value = ''] = /^\s*([\w.]+)\s*(===?|!==?|<=?|>=?)\s*(.+)$/s.exec(condition) ?? [];
  if (key === '') {
    if (/^\s*[\w.]+\s*$/.test(condition))
      return pipe(input, 'where', { text: `"${condition.trim()}"`, level: levels.atom });
    throw new Untranslatable('Docmill compares one key of the items with one value: {#list | where:"age":">":18}.');
  }
  const { piece } = translateJavaScript(value);
  const sign = binary(operator, piece, piece) === undefined ? '==' : operator.replace('===', '==').replace('!==', '!=');
  const texts = [`"${key}"`, ...(sign === '==' ? [] : [`"${sign}"`])].map((text) => ({ text, level: levels.atom }));
  return pipe(input, 'where', ...texts, { text: within(piece, levels.fallback), level: levels.fallback });
}

/** Splits at a character outside quotes and brackets; `||` is an operator, not a separator. */
function splitOutside(text: string, separator: '|' | ':'): readonly string[] {
  const parts: string[] = [];
  let quote = '';
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (quote !== '') {
      if (char === '\\') i += 1;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth -= 1;
    else if (char === separator && depth === 0) {
      if (separator === '|' && text.charAt(i + 1) === '|') i += 1;
      else {
        parts.push(text.slice(from, i));
        from = i + 1;
      }
    }
  }
  return [...parts, text.slice(from)];
}
