import { readRelationships, relationshipsPartOf, resolveTarget, sourcePartOf } from '@docmill/word/relationships';
import { TextEdits } from '@docmill/word/text-edits';
import { attributeOf, scanXmlTags } from '@docmill/word/xml-tokens';
import type { Warning } from '../core/warning.ts';
import type { DocxPackage } from '../package/open-package.ts';
import { isSvgPart, isXmlPart } from '../package/part-kind.ts';
import { cleanMarkup, needsCleaning, type References } from './clean-markup.ts';
import { cleanRelationships } from './clean-relationships.ts';
import { reasonToRemovePart } from './unwanted-content.ts';
import { validatePicture } from './validate-picture.ts';
import { type WarningCode, Warnings } from './warnings.ts';

export interface SanitizeOptions {
  /** Names of parts that an earlier run over the same package produced; they are not scanned again. */
  readonly cleanParts?: ReadonlySet<string>;
  /** Whether to keep IF fields, which are computed later. */
  readonly keepsConditions?: boolean;
  /** Decides whether to keep a link whose address has tags, which is filled and checked later. */
  readonly keepsLinks?: (partName: string) => boolean;
}

export interface SanitizeResult {
  readonly changes: ReadonlyMap<string, Uint8Array | null>;
  readonly warnings: readonly Warning[];
}

type Changes = Map<string, Uint8Array | null>;

const dataFolder = /^(?:customxml|docprops)\//i;
const dataKinds = new Set([
  'customxml',
  'customxmlprops',
  'core-properties',
  'extended-properties',
  'custom-properties',
]);

const noReferences: References = { removedIds: new Set(), linkIds: new Set() };

/**
 * The changes that remove active content and external references from a package before conversion, for `writePackage` or
 * `overlayPackage`. Empty for a clean package.
 */
export function sanitizePackage(docx: DocxPackage, options: SanitizeOptions = {}): SanitizeResult {
  const clean = options.cleanParts ?? new Set();
  const keepsLinksOf = (part: string) => () => options.keepsLinks?.(part) === true;
  const isFresh = (name: string) => !clean.has(name);
  const changes: Changes = new Map();
  const warnings = new Warnings();
  const removed = removeParts(docx, docx.partNames.filter(isFresh), changes);
  const references = new Map<string, References>();
  for (const relsName of docx.partNames) {
    if (!/\.rels$/i.test(relsName) || changes.has(relsName)) continue;
    const source = sourcePartOf(relsName);
    if (removed.size === 0 && !isFresh(relsName) && (source === '' || !isFresh(source))) continue;
    const { xml, ...found } = cleanRelationships(docx, relsName, removed, {
      warnings,
      keepsLinks: keepsLinksOf(source),
    });
    if (xml !== undefined) changes.set(relsName, Buffer.from(xml));
    references.set(source.toLowerCase(), found);
  }
  for (const name of docx.partNames) {
    if (changes.has(name) || !isXmlPart(docx, name) || isSvgPart(docx, name)) continue;
    const found = references.get(name.toLowerCase()) ?? noReferences;
    if (!isFresh(name) && found.removedIds.size === 0) continue;
    const xml = docx.readText(name) ?? '';
    if (!needsCleaning(xml, found)) continue;
    const cleaned = cleanMarkup({
      ...found,
      xml,
      keepsLinks: keepsLinksOf(name),
      keepsConditions: options.keepsConditions,
      isData: () => isDataPart(docx, name),
      onRemoved: (code) => warnings.add(code, name),
    });
    if (cleaned !== undefined) changes.set(name, Buffer.from(cleaned));
  }
  removeContentTypes(docx, removed, changes);
  return { changes, warnings: warnings.list() };
}

/** Removes unwanted parts and unsafe pictures with their relationships. Returns the reasons by lower-case name. */
function removeParts(docx: DocxPackage, names: readonly string[], changes: Changes): Map<string, WarningCode> {
  const removed = new Map<string, WarningCode>();
  for (const name of names) {
    const reason = reasonToRemovePart(docx, name) ?? checkPicture(docx, name, changes);
    if (reason === undefined || name === docx.mainPart) continue;
    removed.set(name.toLowerCase(), reason);
    changes.set(name, null);
  }
  const ownRels = new Set([...removed.keys()].map((name) => relationshipsPartOf(name)));
  for (const name of docx.partNames) if (ownRels.has(name.toLowerCase())) changes.set(name, null);
  return removed;
}

function checkPicture(docx: DocxPackage, name: string, changes: Changes): WarningCode | undefined {
  if (isXmlPart(docx, name) && !isSvgPart(docx, name)) return undefined;
  const verdict = validatePicture(docx, name);
  if (verdict === 'unsafe') return 'unsafe_picture';
  if (verdict !== 'safe') changes.set(name, Buffer.from(verdict.text));
  return undefined;
}

/** Removes the content types of removed parts, given by lower-case name. */
export function removeContentTypes(docx: DocxPackage, removed: ReadonlyMap<string, unknown>, changes: Changes): void {
  const name = docx.partNames.find((part) => part.toLowerCase() === '[content_types].xml');
  if (removed.size === 0 || name === undefined) return;
  const xml = docx.readText(name) ?? '';
  const edits = new TextEdits();
  let start: number | undefined;
  scanXmlTags(xml, (tag) => {
    if (tag.local !== 'Override') return;
    if (tag.kind !== 'close') {
      const part = attributeOf(xml, tag, 'PartName') ?? '';
      start = removed.has(part.replace(/^\//, '').toLowerCase()) ? tag.start : undefined;
    }
    if (tag.kind !== 'open' && start !== undefined) edits.replace(start, tag.end);
  });
  if (!edits.isEmpty) changes.set(name, Buffer.from(edits.apply(xml)));
}

/**
 * Whether a part is a data store or properties, where apparent links are data. The folder is no proof, because
 * LibreOffice reads a header from wherever a relationship points.
 */
export function isDataPart(docx: DocxPackage, name: string): boolean {
  if (!dataFolder.test(name)) return false;
  const lowerName = name.toLowerCase();
  return docx.partNames
    .filter((relsName) => /\.rels$/i.test(relsName))
    .every((relsName) =>
      readRelationships(docx.readText(relsName) ?? '').every(
        ({ kind, isExternal, target }) =>
          isExternal ||
          dataKinds.has(kind) ||
          resolveTarget(sourcePartOf(relsName), target).toLowerCase() !== lowerName,
      ),
    );
}
