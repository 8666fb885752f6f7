import { readRelationships, resolveTarget } from '@docmill/word/relationships';
import type { WordPackage } from '@docmill/word/word-package';
import { type PackageLimits, packageLimits } from '../limits.ts';
import { asDocument } from './as-document.ts';
import { type ContentTypes, readContentTypes } from './content-types.ts';
import { decryptPackage } from './encrypted/decrypt-package.ts';
import { isFlatPackage, readFlatPackage } from './flat-opc.ts';
import { identifyArchive, identifyFile, isCompoundFile } from './identify-file.ts';
import { inflateEntry, inflateHead } from './inflate-entry.ts';
import { refusal } from './refusal.ts';
import { hasUsualForm, inUsualForm } from './usual-form.ts';
import { decodeXml } from './xml-text.ts';
import { readZipDirectory, type ZipEntry } from './zip-directory.ts';

const zipSignature = 0x04034b50;
const documentType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';

/**
 * The type of a whole document in a package, which Word imports (`w:altChunk`). Some programs give such a document the
 * type of a main part.
 */
export const embeddedDocumentType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** An opened .docx, or the .xlsx of a chart. Part names ignore case. Each read inflates again and verifies size and checksum. */
export interface DocxPackage extends WordPackage {
  /** The first `maxBytes` bytes of a part, usually without inflating the rest. */
  readHead(name: string, maxBytes: number): Buffer | undefined;
  /** Whether opening the file removed macros. Unknown of packages that derive from it. */
  readonly hadMacros?: boolean;
  /** The compressed part as stored in the archive. */
  entry(name: string): ZipEntry | undefined;
}

/**
 * Opens a .docx, decrypts one that has the default password, and checks its archive, names, sizes and type.
 * `validatePackage` checks the content of its parts once, at upload. Throws `template_invalid` with one detail that
 * says what to fix.
 */
export function openPackage(bytes: Uint8Array, limits: PackageLimits = packageLimits): DocxPackage {
  return openArchive(bytes, limits, documentType);
}

/** Opens an .xlsx with the checks of `openPackage`. Throws `template_invalid`. */
export function openWorkbookPackage(bytes: Uint8Array, limits: PackageLimits): DocxPackage {
  return openArchive(bytes, limits, workbookType);
}

function openArchive(bytes: Uint8Array, limits: PackageLimits, mainType: string): DocxPackage {
  const sent = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const file = isCompoundFile(sent) ? (decryptPackage(sent) ?? sent) : sent;
  const isFlat = mainType === documentType && isFlatPackage(file);
  if (!isFlat && (file.length < 22 || file.readUInt32LE(0) !== zipSignature)) throw refusal(identifyFile(file));
  const sentEntries = isFlat ? readFlatPackage(file, limits) : withoutFolders(readZipDirectory(file, limits));
  if (sentEntries.has('mimetype')) throw refusal(identifyArchive(undefined, (name) => name === 'content.xml'));
  const sentTypes = requiredText(sentEntries, '[Content_Types].xml');
  const rels = requiredText(sentEntries, '_rels/.rels');
  const converted = mainType === documentType ? asDocument(sentEntries, sentTypes, documentType) : undefined;
  const { entries = sentEntries, types: writtenTypes = sentTypes, hadMacros = false } = converted ?? {};
  const types = readContentTypes(writtenTypes);
  const find = (name: string) => entries.get(name.toLowerCase());
  const mainPart = findMainPart(rels, types, mainType, find);
  return createPackage(entries, { types, mainPart, limits, hadMacros });
}

interface OpenedArchive {
  readonly types: ContentTypes;
  readonly mainPart: string;
  readonly limits: PackageLimits;
  readonly hadMacros: boolean;
}

function createPackage(
  entries: ReadonlyMap<string, ZipEntry>,
  { types, mainPart, limits, hadMacros }: OpenedArchive,
): DocxPackage {
  /** Parts, by lower-case name, that need no change. */
  const usual = new Set<string>();
  const entry = (name: string) => entries.get(name.toLowerCase());
  const read = (name: string) => {
    const found = entry(name);
    return found === undefined ? undefined : inflateEntry(found);
  };
  return {
    mainPart,
    hadMacros,
    partNames: Array.from(entries.values(), ({ name }) => name),
    entry,
    read,
    readText(name) {
      const content = read(name);
      if (content === undefined) return undefined;
      const xml = decodeXml(content, name);
      const key = name.toLowerCase();
      if (usual.has(key) || hasUsualForm(xml)) {
        usual.add(key);
        return xml;
      }
      return inUsualForm(xml, name, limits.maxPartBytes);
    },
    readHead(name, maxBytes) {
      const found = entry(name);
      return found === undefined ? undefined : inflateHead(found, maxBytes);
    },
    contentType(name) {
      const type = types.typeOf(name);
      return type === documentType && isArchive(entry(name)) ? embeddedDocumentType : type;
    },
  };
}

function isArchive(entry: ZipEntry | undefined): boolean {
  return entry !== undefined && entry.sizeBytes >= 4 && inflateHead(entry, 4).readUInt32LE(0) === zipSignature;
}

// Folder entries and files that macOS adds are not parts (ECMA-376 part 2, 7.3.5).
function withoutFolders(entries: ReadonlyMap<string, ZipEntry>): Map<string, ZipEntry> {
  const parts = [...entries].filter(
    ([key, { sizeBytes }]) => !(key.endsWith('/') && sizeBytes === 0) && !/^__macosx\/|(?:^|\/)\.ds_store$/.test(key),
  );
  return new Map(parts);
}

function requiredText(entries: ReadonlyMap<string, ZipEntry>, name: string): string {
  const found = entries.get(name.toLowerCase());
  if (found === undefined) throw refusal(identifyArchive(undefined, (other) => entries.has(other)));
  const text = decodeXml(inflateEntry(found), found.name);
  if (/<!(?:DOCTYPE|ENTITY)/.test(text)) {
    throw refusal('The part contains a document type definition, which Word documents must not have.', found.name);
  }
  return text;
}

/** Finds the main part through the package's relationships; it must have the content type `mainType`. */
function findMainPart(
  packageRels: string,
  types: ContentTypes,
  mainType: string,
  find: (name: string) => ZipEntry | undefined,
): string {
  const targets = readRelationships(packageRels)
    .filter(({ kind, isExternal }) => kind === 'officedocument' && !isExternal)
    .map(({ target }) => resolveTarget('', target));
  const [target] = targets;
  if (new Set(targets.map((name) => name.toLowerCase())).size > 1) {
    throw refusal('The file names more than one main document. Save it again in Word.');
  }
  const name = target === undefined ? undefined : find(target)?.name;
  const type = target === undefined ? undefined : types.typeOf(target);
  if (name === undefined || type !== mainType) {
    throw refusal(
      identifyArchive(type, (entry) => find(entry) !== undefined),
      target,
    );
  }
  const others = [...types.overrides].filter(
    ([other, otherType]) => otherType === mainType && find(other)?.name !== name,
  );
  if (others.some(([other]) => find(other) !== undefined && !isArchive(find(other)))) {
    throw refusal('The file contains more than one main document. Save it again in Word.');
  }
  return name;
}
