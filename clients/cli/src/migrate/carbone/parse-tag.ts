import { Untranslatable } from '../expressions/translate-javascript.ts';

/** A condition or a position in brackets: `[2]`, `[i]`, `[i+1]`, `[price]`, `[age > 18]`. */
export type Item =
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'iterator'; readonly key: string; readonly isNext: boolean }
  | { readonly kind: 'filter'; readonly key: string; readonly operator: string; readonly value: Argument };

export type CarboneSegment =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'brackets'; readonly items: readonly Item[] };

export type Argument =
  | { readonly kind: 'text'; readonly text: string; readonly isQuoted: boolean }
  /**
   * `.qty` is a sibling of the value, `..qty` a sibling of the enclosing object; without dots, the path starts at the
   * root.
   */
  | {
      readonly kind: 'path';
      readonly dots: number;
      readonly root: string;
      readonly segments: readonly CarboneSegment[];
    };

export interface Formatter {
  readonly name: string;
  readonly args: readonly Argument[];
}

export interface CarboneTag {
  readonly root: string;
  readonly segments: readonly CarboneSegment[];
  readonly formatters: readonly Formatter[];
}

/** Parses the text between the braces of a tag. Throws Untranslatable. */
export function parseTag(source: string): CarboneTag {
  const text = source.replace(/[‘’]/g, "'").replace(/[“”]/g, '"');
  const [path = '', ...formatters] = splitOutside(text, ':');
  const root = /^[dc](?=[.[]|$)/.exec(path.trim())?.[0];
  if (root === undefined) throw new Untranslatable('Docmill has no equivalent of this tag.');
  return { root, segments: parsePath(path.trim().slice(1)), formatters: formatters.map(parseFormatter) };
}

function parsePath(path: string): readonly CarboneSegment[] {
  const segments: CarboneSegment[] = [];
  let at = 0;
  while (at < path.length) {
    if (path.charAt(at) === '[') {
      const end = closingBracket(path, at);
      segments.push({ kind: 'brackets', items: parseItems(path.slice(at + 1, end)) });
      at = end + 1;
    } else {
      const [whole = '', name = ''] = /^\.?([^.[\]]+)/.exec(path.slice(at)) ?? [];
      if (whole === '') throw new Untranslatable('The path is not complete.');
      segments.push({ kind: 'name', name: name.trim() });
      at += whole.length;
    }
  }
  return segments;
}

function closingBracket(path: string, open: number): number {
  let quote = '';
  for (let i = open + 1; i < path.length; i++) {
    const char = path.charAt(i);
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === "'" || char === '"') quote = char;
    else if (char === ']') return i;
  }
  throw new Untranslatable('A bracket is not closed.');
}

function parseItems(text: string): readonly Item[] {
  return text.trim() === '' ? [] : splitOutside(text, ',').map((item) => parseItem(item.trim()));
}

function parseItem(text: string): Item {
  if (/^\d+$/.test(text)) return { kind: 'index', index: Number(text) };
  const [, iterator, next] = /^([\p{L}_$][\p{L}\p{N}_$.]*)\s*(\+\s*1)?$/u.exec(text) ?? [];
  if (iterator !== undefined) return { kind: 'iterator', key: iterator, isNext: next !== undefined };
  const [, key = '', operator = '', value = ''] =
    /^([\p{L}_$][\p{L}\p{N}_$.]*)\s*(<=|>=|!=|=|<|>)\s*(.+)$/su.exec(text) ?? [];
  if (key === '') throw new Untranslatable(`Docmill has no equivalent of [${text}].`);
  const index = key === 'i' && operator === '=' ? Number(value) : Number.NaN;
  if (Number.isInteger(index) && index >= 0) return { kind: 'index', index };
  return { kind: 'filter', key, operator: operator === '=' ? '==' : operator, value: parseArgument(value) };
}

function parseFormatter(text: string): Formatter {
  const [, name = '', args] = /^\s*(\w+)\s*(?:\((.*)\))?\s*$/s.exec(text) ?? [];
  if (name === '') throw new Untranslatable(`The formatter ${text.trim()} is not complete.`);
  return { name, args: args === undefined || args.trim() === '' ? [] : splitOutside(args, ',').map(parseArgument) };
}

function parseArgument(source: string): Argument {
  const text = source.trim();
  const [, inner] = /^'(.*)'$/s.exec(text) ?? /^"(.*)"$/s.exec(text) ?? [];
  if (inner !== undefined) return { kind: 'text', text: inner, isQuoted: true };
  const [, dots = '', relative = ''] = /^(\.+)([\p{L}_$].*)$/su.exec(text) ?? [];
  if (dots !== '') return { kind: 'path', dots: dots.length, root: '', segments: parsePath(relative) };
  const [, root = '', absolute = ''] = /^([dc])([.[].*)$/s.exec(text) ?? [];
  if (root !== '') return { kind: 'path', dots: 0, root, segments: parsePath(absolute) };
  return { kind: 'text', text, isQuoted: false };
}

/** Splits at a character outside quotes and brackets. */
function splitOutside(text: string, separator: ':' | ','): readonly string[] {
  const parts: string[] = [];
  let quote = '';
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (quote !== '') quote = char === quote ? '' : quote;
    else if ((char === "'" || char === '"') && depth > 0) quote = char;
    else if (char === "'" && /[,(]\s*$/.test(text.slice(from, i) || ',')) quote = char;
    else if (char === '(' || char === '[') depth += 1;
    else if (char === ')' || char === ']') depth -= 1;
    else if (char === separator && depth === 0) {
      parts.push(text.slice(from, i));
      from = i + 1;
    }
  }
  return [...parts, text.slice(from)];
}
