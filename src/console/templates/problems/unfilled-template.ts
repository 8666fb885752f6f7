import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

/** A file that prints its tags as text, and the data that it needs for that. */
export interface UnfilledTemplate {
  readonly file: Blob;
  readonly data: Readonly<Record<string, string>>;
}

/** Larger files are not opened in the browser, and their pages are not shown. */
const maxUnpackedBytes = 150_000_000;

const names = { open: 'o', close: 'c', nothing: 'n' } as const;

/**
 * A template whose tags, including broken ones, are printed as written. Braces cannot be plain text, so each becomes a
 * tag that prints a brace. A file without braces, such as one with other delimiters, gets a tag that prints nothing,
 * because templates must have one. Undefined if the file cannot be opened or has no text.
 */
export function toUnfilledTemplate(bytes: Uint8Array<ArrayBuffer>): UnfilledTemplate | undefined {
  let unpackedBytes = 0;
  let parts: Record<string, Uint8Array>;
  try {
    parts = unzipSync(bytes, {
      filter: ({ originalSize }) => {
        unpackedBytes += originalSize;
        if (unpackedBytes > maxUnpackedBytes) throw new RangeError('The file is too large for the browser.');
        return true;
      },
    });
  } catch {
    return undefined;
  }
  let count = 0;
  for (const [name, content] of Object.entries(parts)) {
    if (!/^(?:word|docProps)\/.*\.(?:xml|rels)$/i.test(name)) continue;
    const before = strFromU8(content);
    const after = withPrintedBraces(before, () => {
      count += 1;
    });
    if (after !== before) parts[name] = strToU8(after);
  }
  if (count === 0 && !addEmptyTag(parts)) return undefined;
  const packed = zipSync(parts, { level: 1 });
  return {
    file: new Blob([new Uint8Array(packed)]),
    data: { [names.open]: '{', [names.close]: '}', [names.nothing]: '' },
  };
}

/** Adds it to the first text of the document. Returns whether there is one. */
function addEmptyTag(parts: Record<string, Uint8Array>): boolean {
  const main = Object.keys(parts).find((name) => /^word\/document\d*\.xml$/i.test(name)) ?? '';
  const before = parts[main] === undefined ? '' : strFromU8(parts[main]);
  const after = before.replace(/<w:t(?:\s[^>]*[^/])?>/, `$&{${names.nothing}}`);
  if (after === before) return false;
  parts[main] = strToU8(after);
  return true;
}

const guid = /\{[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}/gi;

/**
 * Prints braces in the text of paragraphs; elsewhere, as in alternative text and addresses, replaces them with
 * parentheses.
 */
function withPrintedBraces(xml: string, onBrace: () => void): string {
  return xml.replace(/<[^>]*>|[^<]+/g, (token, offset: number) => {
    if (token.startsWith('<')) return token.startsWith('<?') ? token : withParentheses(token);
    if (!/[{}]/.test(token)) return token;
    if (!/<w:t(?:\s[^>]*)?>$/.test(xml.slice(Math.max(0, offset - 60), offset))) return withParentheses(token);
    return token.replace(/[{}]/g, (brace) => {
      onBrace();
      return brace === '{' ? `{${names.open}}` : `{${names.close}}`;
    });
  });
}

function withParentheses(text: string): string {
  if (!/[{}]|%7[bd]/i.test(text)) return text;
  const kept = text.match(guid) ?? [];
  const pieces = text.split(guid).map((piece) => piece.replace(/\{|%7b/gi, '(').replace(/\}|%7d/gi, ')'));
  return pieces.map((piece, index) => piece + (kept[index] ?? '')).join('');
}
