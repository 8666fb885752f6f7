import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

/** A file that shows its tags as text, and the data that it needs for that. */
export interface UnfilledTemplate {
  readonly file: Blob;
  readonly data: Readonly<Record<string, string>>;
}

/** More than this is not opened in the browser: then the pages are not shown. */
const maxUnpackedBytes = 150_000_000;

const names = { open: 'o', close: 'c' } as const;

/**
 * A template whose tags are printed as they are written, also broken ones. Braces cannot be typed as plain text, so each one becomes
 * a tag that prints a brace. Undefined when the file cannot be opened, or has no tag at all.
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
  if (count === 0) return undefined;
  const packed = zipSync(parts, { level: 1 });
  return { file: new Blob([new Uint8Array(packed)]), data: { [names.open]: '{', [names.close]: '}' } };
}

const guid = /\{[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}/gi;

/** Text of paragraphs prints its braces; elsewhere, as in alternative texts and addresses, they become parentheses. */
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
