import { DOMParser, type Document, ParseError, XMLSerializer } from '@xmldom/xmldom';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { UnusableFile } from '../report.ts';
import { isElement } from './paragraphs.ts';
import { partLabel } from './part-label.ts';

/** Size limits: far above what a Word template needs, but harmless to the machine. */
const maxFileBytes = 64 * 1024 * 1024;
const maxEntries = 10_000;
const maxUnpackedBytes = 512 * 1024 * 1024;
const maxPartBytes = 48 * 1024 * 1024;
const maxDepth = 1_000;

/** A part of the file that contains text: its display name and its XML. */
export interface WordPart {
  readonly label: string;
  readonly document: Document;
}

export interface WordFile {
  /** Body, headers, footers, notes, comments, properties. */
  readonly parts: readonly WordPart[];
  /** The file with the changed parts. All other parts keep their bytes. */
  save(): Uint8Array;
}

/** Unpacks a .docx. Throws UnusableFile if it is another format, damaged or too large. */
export function openWordFile(bytes: Uint8Array): WordFile {
  const entries = unpack(bytes);
  const types = readTypes(entries);
  const parts = [...entries.keys()]
    .flatMap((name) => {
      const label = partLabel(name, types(name));
      return label === undefined ? [] : [{ name, ...label, document: parseXml(name, entries.get(name)) }];
    })
    .sort((a, b) => a.rank - b.rank || (a.label < b.label ? -1 : 1));
  if (parts[0]?.label !== 'body') throw new UnusableFile('The file is not a Word document (.docx).');
  return {
    parts,
    save: () => {
      for (const { name, document } of parts) {
        entries.set(name, strToU8(new XMLSerializer().serializeToString(document)));
      }
      return zipSync(Object.fromEntries(entries), { level: 6 });
    },
  };
}

function unpack(bytes: Uint8Array): Map<string, Uint8Array> {
  if (bytes.length > maxFileBytes) throw new UnusableFile(`The file is larger than ${maxFileBytes / 1024 / 1024} MB.`);
  let count = 0;
  let unpackedBytes = 0;
  try {
    // An entry never unpacks to more than its size in the directory.
    const files = unzipSync(bytes, {
      filter: ({ originalSize }) => {
        count += 1;
        unpackedBytes += originalSize;
        if (count > maxEntries || unpackedBytes > maxUnpackedBytes) {
          throw new UnusableFile(
            `The file unpacks to more than ${maxUnpackedBytes / 1024 / 1024} MB or too many parts.`,
          );
        }
        return true;
      },
    });
    return new Map(Object.entries(files));
  } catch (error) {
    if (error instanceof UnusableFile) throw error;
    throw new UnusableFile('The file is not a Word document (.docx), or it is damaged. Save it again in Word.');
  }
}

/** The content type of each part, by name, or else by extension. */
function readTypes(entries: ReadonlyMap<string, Uint8Array>): (name: string) => string {
  const name = '[Content_Types].xml';
  if (!entries.has(name)) throw new UnusableFile('The file is not a Word document (.docx).');
  const types = new Map<string, string>();
  const root = parseXml(name, entries.get(name)).documentElement;
  for (let node = root?.firstChild ?? null; node !== null; node = node.nextSibling) {
    if (!isElement(node)) continue;
    const element = node;
    const read = (attribute: string) => element.getAttribute(attribute);
    const key = read('PartName')?.replace(/^\//, '') ?? `.${read('Extension') ?? ''}`;
    types.set(key.toLowerCase(), read('ContentType')?.toLowerCase() ?? '');
  }
  return (part) => {
    const extension = /\.[^./]*$/.exec(part)?.[0] ?? '';
    return types.get(part.toLowerCase()) ?? types.get(extension.toLowerCase()) ?? '';
  };
}

function parseXml(name: string, bytes: Uint8Array | undefined): Document {
  const text = bytes === undefined ? '' : strFromU8(bytes);
  if (text.length > maxPartBytes) throw new UnusableFile(`${name} is larger than ${maxPartBytes / 1024 / 1024} MB.`);
  // Word writes no document types; entities in them could expand without end.
  if (text.includes('<!DOCTYPE')) throw new UnusableFile(`${name} has a document type, which Word never writes.`);
  try {
    const fail = (level: string, message: string) => {
      if (level !== 'warning') throw new ParseError(message);
    };
    const document = new DOMParser({ locator: false, onError: fail }).parseFromString(text, 'text/xml');
    if (depthOf(document) > maxDepth) throw new UnusableFile(`${name} nests more than ${maxDepth} elements.`);
    return document;
  } catch (error) {
    if (error instanceof UnusableFile) throw error;
    throw new UnusableFile(`${name} is not valid XML. Save the file again in Word.`);
  }
}

/** Not recursive, because the depth is not yet known to be safe. */
function depthOf(document: Document): number {
  let deepest = 0;
  let depth = 0;
  let node: Document['firstChild'] = document.documentElement;
  while (node !== null) {
    if (node.firstChild !== null) {
      node = node.firstChild;
      depth += 1;
      deepest = Math.max(deepest, depth);
      continue;
    }
    while (node !== null && node.nextSibling === null && node !== document.documentElement) {
      node = node.parentNode as typeof node;
      depth -= 1;
    }
    node = node === null || node === document.documentElement ? null : node.nextSibling;
  }
  return deepest;
}
