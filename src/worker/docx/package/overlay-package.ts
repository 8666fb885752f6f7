import { crc32 } from 'node:zlib';
import { readContentTypes } from './content-types.ts';
import { type DocxPackage, embeddedDocumentType } from './open-package.ts';
import { decodeXml } from './xml-text.ts';
import type { ZipEntry } from './zip-directory.ts';

interface ChangedPart {
  readonly name: string;
  readonly data: Buffer;
}

/** A view of `source` with `changes` applied (null removes a part), without writing and reopening it. */
export function overlayPackage(source: DocxPackage, changes: ReadonlyMap<string, Uint8Array | null>): DocxPackage {
  if (changes.size === 0) return source;
  const parts = new Map<string, ChangedPart | null>();
  for (const [changed, content] of changes) {
    const name = source.entry(changed)?.name ?? changed;
    parts.set(name.toLowerCase(), content === null ? null : { name, data: bufferOf(content) });
  }
  const entry = (name: string) => {
    const changed = parts.get(name.toLowerCase());
    if (changed === undefined) return source.entry(name);
    return changed === null ? undefined : storedEntry(changed);
  };
  const read = (name: string) => {
    const changed = parts.get(name.toLowerCase());
    return changed === undefined ? source.read(name) : changed?.data;
  };
  const kept = source.partNames.filter((name) => parts.get(name.toLowerCase()) !== null);
  const added = Array.from(parts.values(), (part) => part?.name ?? '').filter(
    (name) => name !== '' && !source.entry(name),
  );
  const typesPart = parts.get('[content_types].xml');
  const types = typesPart ? readContentTypes(decodeXml(typesPart.data, typesPart.name)) : undefined;
  return {
    mainPart: source.mainPart,
    partNames: [...kept, ...added],
    entry,
    read,
    readText(name) {
      const changed = parts.get(name.toLowerCase());
      if (changed === undefined) return source.readText(name);
      return changed === null ? undefined : decodeXml(changed.data, name);
    },
    readHead: (name, maxBytes) =>
      parts.has(name.toLowerCase()) ? read(name)?.subarray(0, maxBytes) : source.readHead(name, maxBytes),
    contentType(name) {
      const own = source.contentType(name);
      const isEmbedded = own === embeddedDocumentType && !parts.has(name.toLowerCase());
      return types === undefined || isEmbedded ? own : types.typeOf(name);
    },
  };
}

function storedEntry({ name, data }: ChangedPart): ZipEntry {
  return { name, method: 0, crc32: crc32(data), sizeBytes: data.length, data };
}

function bufferOf(content: Uint8Array): Buffer {
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
}
