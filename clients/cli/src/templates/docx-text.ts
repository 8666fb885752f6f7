import { DOMParser, type Element, type Node } from '@xmldom/xmldom';
import { unzipSync } from 'fflate';

/** The unpacked size of all parts; the service's limit is lower. */
const maxUnpackedBytes = 200_000_000;
/** Content types of parts with text, in the order of the result. */
const textParts = ['main', 'header', 'footer', 'footnotes', 'endnotes'] as const;
const decoder = new TextDecoder();

/** The bytes are not a readable .docx. */
export class UnreadableDocx extends Error {}

/**
 * The text of a .docx, one line per paragraph, including tags: the body, then headers, footers and notes, each under
 * its name. The division of text into runs does not matter; deleted text is left out. Throws `UnreadableDocx`.
 */
export function readDocxText(bytes: Uint8Array): readonly string[] {
  try {
    const parts = unpack(bytes);
    return findTextParts(parts).flatMap(({ name, kind }) => {
      const lines = readParagraphs(parse(parts, name));
      return kind === 'main' || lines.length === 0 ? lines : [`[${name.split('/').at(-1)}]`, ...lines];
    });
  } catch (error) {
    throw new UnreadableDocx(error instanceof Error ? error.message : String(error));
  }
}

function unpack(bytes: Uint8Array): Readonly<Record<string, Uint8Array>> {
  let unpackedBytes = 0;
  return unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (!/\.xml$/i.test(name)) return false;
      unpackedBytes += originalSize;
      if (unpackedBytes > maxUnpackedBytes) throw new Error('its parts are too long');
      return true;
    },
  });
}

function findTextParts(parts: Readonly<Record<string, Uint8Array>>) {
  const overrides = [...parse(parts, '[Content_Types].xml').getElementsByTagNameNS('*', 'Override')];
  const found = overrides.flatMap((override) => {
    const type = override.getAttribute('ContentType') ?? '';
    const kind = textParts.find((one) => type.endsWith(`${one}+xml`));
    const name = (override.getAttribute('PartName') ?? '').replace(/^\//, '');
    return kind === undefined || !Object.hasOwn(parts, name) ? [] : [{ name, kind }];
  });
  const order = ({ kind }: (typeof found)[number]) => textParts.indexOf(kind);
  return found.sort((a, b) => order(a) - order(b) || (a.name < b.name ? -1 : 1));
}

function parse(parts: Readonly<Record<string, Uint8Array>>, name: string): Element {
  const bytes = Object.hasOwn(parts, name) ? parts[name] : undefined;
  if (bytes === undefined) throw new Error(`${name} is missing`);
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = isUtf16 ? new TextDecoder('utf-16le').decode(bytes) : decoder.decode(bytes);
  const onError = (level: string, message: string) => {
    if (level !== 'warning') throw new Error(`${name}: ${message.split('\n')[0]}`);
  };
  const root = new DOMParser({ onError }).parseFromString(text, 'application/xml').documentElement;
  if (root === null) throw new Error(`${name} is empty`);
  return root;
}

/** Not recursive, because a document may be deeply nested. */
function readParagraphs(root: Element): readonly string[] {
  const lines: string[] = [];
  let line = '';
  const end = () => {
    if (line.trim() !== '') lines.push(line.trimEnd());
    line = '';
  };
  let node: Node | null = root;
  while (node !== null) {
    const name: string = node.localName ?? '';
    if (name === 'p') end();
    else if (name === 't') line += node.textContent ?? '';
    else if (name === 'tab' && node.parentNode?.localName === 'r') line += '\t';
    else if (name === 'br' || name === 'cr') line += ' ';
    const isSkipped: boolean = name === 't' || name === 'del' || name === 'Fallback';
    let next: Node | null = isSkipped ? null : node.firstChild;
    while (next === null && node !== null && node !== root) {
      if (node.localName === 'p') end();
      next = node.nextSibling;
      if (next === null) node = node.parentNode;
    }
    node = next;
  }
  end();
  return lines;
}
