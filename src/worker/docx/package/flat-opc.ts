import { crc32 } from 'node:zlib';
import { escapeAttribute } from '@docmill/word/escape-xml';
import { attributeOf, scanXmlTags } from '@docmill/word/xml-tokens';
import type { PackageLimits } from '../limits.ts';
import { readEntryName } from './entry-name.ts';
import { refusal } from './refusal.ts';
import { decodeXml } from './xml-text.ts';
import type { ZipEntry } from './zip-directory.ts';

const namespace = 'http://schemas.microsoft.com/office/2006/xmlPackage';
const headBytes = 4096;

/** Whether a file is a package in one XML file, which Word saves as "Word XML Document" (Flat OPC). */
export function isFlatPackage(file: Buffer): boolean {
  return (
    file.subarray(0, headBytes).includes(namespace) && /^(?:\xef\xbb\xbf)?\s*</.test(file.toString('latin1', 0, 16))
  );
}

/** The parts of a Flat OPC file as those of an archive, by lower-case name, with a list of their content types. */
export function readFlatPackage(file: Buffer, limits: PackageLimits): Map<string, ZipEntry> {
  const xml = decodeXml(file, 'the file');
  if (/<!(?:DOCTYPE|ENTITY)/.test(xml))
    throw refusal('The file contains a document type definition, which Word documents must not have.');
  const entries = new Map<string, ZipEntry>();
  const overrides: string[] = [];
  let part: { readonly name: string; readonly type: string } | undefined;
  let contentStart = -1;
  let contentDepth = 0;
  let depth = 0;
  let sizeBytes = 0;
  const add = (name: string, data: Buffer) => {
    sizeBytes += data.length;
    if (entries.size >= limits.maxEntries) throw refusal(`The file contains more than ${limits.maxEntries} parts.`);
    if (data.length > limits.maxPartBytes || sizeBytes > limits.maxInflatedBytes)
      throw refusal('The file is too large. Make its pictures or contents smaller.');
    const key = name.toLowerCase();
    if (entries.has(key)) throw refusal('The file contains two parts of the same name. Save it again in Word.', name);
    entries.set(key, { name, method: 0, crc32: crc32(data), sizeBytes: data.length, data });
  };
  scanXmlTags(xml, (tag) => {
    if (tag.kind === 'close') depth--;
    if (contentStart >= 0) {
      if (tag.kind === 'close' && depth === contentDepth && part !== undefined) {
        const content = xml.slice(contentStart, tag.start);
        add(part.name, tag.local === 'binaryData' ? Buffer.from(content, 'base64') : Buffer.from(content.trim()));
        contentStart = -1;
      }
    } else if (tag.kind === 'open' && tag.local === 'part') {
      const name = readEntryName(
        Buffer.from((attributeOf(xml, tag, 'name') ?? '').replace(/^\//, '')),
        limits.maxNameBytes,
      );
      part = { name, type: attributeOf(xml, tag, 'contentType') ?? '' };
      overrides.push(`<Override PartName="/${escapeAttribute(name)}" ContentType="${escapeAttribute(part.type)}"/>`);
    } else if (tag.kind === 'open' && part !== undefined && (tag.local === 'xmlData' || tag.local === 'binaryData')) {
      contentStart = tag.end;
      contentDepth = depth;
    }
    if (tag.kind === 'open') depth++;
  });
  const types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${overrides.join('')}</Types>`;
  add('[Content_Types].xml', Buffer.from(types));
  return entries;
}
