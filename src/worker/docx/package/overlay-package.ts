import { crc32 } from 'node:zlib';
import { readContentTypes } from './content-types.ts';
import type { DocxPackage } from './open-package.ts';
import { decodeXml } from './xml-text.ts';
import type { ZipEntry } from './zip-directory.ts';

/** `source` as it would be with `changes` (null removes a part), without writing and opening it again. */
export function overlayPackage(source: DocxPackage, changes: ReadonlyMap<string, Uint8Array | null>): DocxPackage {
  if (changes.size === 0) return source;
  const parts = new Map<string, ZipEntry | null>();
  for (const [name, content] of changes) parts.set(name.toLowerCase(), content === null ? null : stored(name, content));
  const entry = (name: string) => {
    const changed = parts.get(name.toLowerCase());
    return changed === undefined ? source.entry(name) : (changed ?? undefined);
  };
  const read = (name: string) => {
    const changed = parts.get(name.toLowerCase());
    return changed === undefined ? source.read(name) : changed?.data;
  };
  const kept = source.partNames.filter((name) => !parts.has(name.toLowerCase()));
  const typesPart = parts.get('[content_types].xml');
  const types = typesPart ? readContentTypes(decodeXml(typesPart.data, typesPart.name)) : undefined;
  return {
    mainPart: source.mainPart,
    partNames: [...kept, ...Array.from(parts.values(), (part) => part?.name ?? []).flat()],
    entry,
    read,
    readText(name) {
      const content = read(name);
      return content === undefined ? undefined : decodeXml(content, name);
    },
    readHead: (name, maxBytes) =>
      parts.has(name.toLowerCase()) ? read(name)?.subarray(0, maxBytes) : source.readHead(name, maxBytes),
    contentType: (name) => (types === undefined ? source.contentType(name) : types.typeOf(name)),
  };
}

function stored(name: string, content: Uint8Array): ZipEntry {
  const data = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return { name, method: 0, crc32: crc32(data), sizeBytes: data.length, data };
}
