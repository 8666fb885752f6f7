const delimiters = '()<>[]{}/%';
const reference = /\d+ +\d+ +R\b/y;

/** The range of a key's value in the outermost dictionary; undefined if the key is missing. */
function findValue(text: string, key: string): { readonly start: number; readonly end: number } | undefined {
  let at = text.indexOf('<<');
  if (at < 0) return undefined;
  at = skipSpace(text, at + 2);
  while (text[at] === '/') {
    const nameEnd = skipWord(text, at + 1);
    const start = skipSpace(text, nameEnd);
    const end = skipValue(text, start);
    if (text.slice(at + 1, nameEnd) === key) return { start, end };
    at = skipSpace(text, end);
  }
  return undefined;
}

/** The object with an entry of its outermost dictionary set. `value` is in PDF syntax. */
export function withEntry(text: string, key: string, value: string): string {
  const found = findValue(text, key);
  if (found !== undefined) return `${text.slice(0, found.start)}${value}${text.slice(found.end)}`;
  const at = text.indexOf('<<') + 2;
  return at < 2 ? text : `${text.slice(0, at)}/${key} ${value}\n${text.slice(at)}`;
}

/** The object with items added to an array in its outermost dictionary. A single value becomes an array. */
export function withItems(text: string, key: string, items: readonly string[]): string {
  const found = findValue(text, key);
  const value = found === undefined ? '[]' : text.slice(found.start, found.end);
  const inner = value.startsWith('[') ? value.slice(1, -1) : value;
  return withEntry(text, key, `[${inner.trimEnd()} ${items.join(' ')}]`);
}

/** Encodes a text string (ISO 32000-1, 7.9.2.2). */
export function textString(text: string): string {
  return `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()}>`;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 32) at++;
  return at;
}

function skipWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) > 32 && !delimiters.includes(text[at] ?? '')) at++;
  return at;
}

/** The end of the value at `from`. Always advances, so that damaged text cannot loop. */
function skipValue(text: string, from: number): number {
  const char = text[from];
  if (char === '(') return skipString(text, from);
  if (char === '/') return skipWord(text, from + 1);
  if (char === '[') return skipItems(text, from + 1, ']');
  if (char === '<' && text[from + 1] === '<') return skipItems(text, from + 2, '>>');
  if (char === '<') return endOf(text, '>', from);
  reference.lastIndex = from;
  const found = reference.exec(text);
  return found === null ? Math.max(from + 1, skipWord(text, from)) : from + found[0].length;
}

function skipItems(text: string, from: number, end: string): number {
  let [at, depth] = [from, 1];
  while (at < text.length && depth > 0) {
    const char = text[at];
    const two = text.slice(at, at + 2);
    if (char === '(') at = skipString(text, at);
    else if (char === '[' || two === '<<') {
      depth++;
      at += char === '[' ? 1 : 2;
    } else if (char === '<') at = endOf(text, '>', at);
    else if (char === ']' || two === '>>') {
      depth--;
      at += char === ']' ? 1 : 2;
      if (depth === 0 && (char === ']') !== (end === ']')) return text.length;
    } else at++;
  }
  return at;
}

function skipString(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '\\') at++;
    else if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return at + 1;
  }
  return text.length;
}

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}
