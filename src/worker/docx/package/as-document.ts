import { crc32 } from 'node:zlib';
import { readRelationships, resolveTarget, sourcePartOf } from '@docmill/word/relationships';
import { TextEdits } from '@docmill/word/text-edits';
import { attributeOf, scanXmlTags } from '@docmill/word/xml-tokens';
import { inflateEntry } from './inflate-entry.ts';
import { decodeXml } from './xml-text.ts';
import type { ZipEntry } from './zip-directory.ts';

type Entries = ReadonlyMap<string, ZipEntry>;

const typesName = '[content_types].xml';
const mainTypes =
  /application\/vnd\.(?:openxmlformats-officedocument\.wordprocessingml\.template|ms-word\.template\.macroenabledtemplate)\.main\+xml/gi;
const ofMacros = new Set([
  'vbaproject',
  'wordvbadata',
  'keymapcustomizations',
  'attachedtoolbars',
  'usercustomization',
  'extensibility',
]);

export interface AsDocument {
  readonly entries: Map<string, ZipEntry>;
  /** The content types of the entries. */
  readonly types: string;
  readonly hadMacros: boolean;
}

/**
 * Converts a Word template (.dotx, .dotm) to the .docx that Word would create from it: with the type of a document, and
 * without macros. Undefined for any other package.
 */
export function asDocument(entries: Entries, writtenTypes: string, documentType: string): AsDocument | undefined {
  const types = writtenTypes.replace(mainTypes, documentType);
  if (types === writtenTypes) return undefined;
  const changed = new Map(entries);
  put(changed, typesName, types);
  let hadMacros = false;
  for (const name of entries.keys()) if (name.endsWith('.rels')) hadMacros = removeMacros(changed, name) || hadMacros;
  return { entries: changed, types, hadMacros };
}

/** Removes the relationships of a part that lead to macros, and their targets. */
function removeMacros(entries: Map<string, ZipEntry>, relsName: string): boolean {
  const xml = textOf(entries, relsName);
  const unwanted = new Set<string>();
  for (const { id, kind, target, isExternal } of readRelationships(xml)) {
    if (!ofMacros.has(kind)) continue;
    unwanted.add(id);
    if (!isExternal) entries.delete(resolveTarget(sourcePartOf(relsName), target).toLowerCase());
  }
  if (unwanted.size === 0) return false;
  const edits = new TextEdits();
  scanXmlTags(xml, (tag) => {
    if (tag.local === 'Relationship' && tag.kind !== 'close' && unwanted.has(attributeOf(xml, tag, 'Id') ?? ''))
      edits.replace(tag.start, tag.kind === 'empty' ? tag.end : xml.indexOf('>', xml.indexOf('</', tag.end)) + 1);
  });
  put(entries, relsName, edits.apply(xml));
  return true;
}

function textOf(entries: Entries, name: string): string {
  const entry = entries.get(name);
  return entry === undefined ? '' : decodeXml(inflateEntry(entry), entry.name);
}

function put(entries: Map<string, ZipEntry>, key: string, text: string): void {
  const data = Buffer.from(text);
  const name = entries.get(key)?.name ?? key;
  entries.set(key, { name, method: 0, crc32: crc32(data), sizeBytes: data.length, data });
}
