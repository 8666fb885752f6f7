import { sourcePartOf } from '@docmill/word/relationships';
import type { Warning } from '../../core/warning.ts';
import type { DocxPackage } from '../../package/open-package.ts';
import { overlayPackage } from '../../package/overlay-package.ts';
import { isSvgPart, isXmlPart } from '../../package/part-kind.ts';
import { type WarningCode, Warnings } from '../warnings.ts';
import { balanceFields } from './balance-fields.ts';
import { cutCycles } from './cut-cycles.ts';
import { defaultTheme } from './default-theme.ts';
import { repeatFirstHeaders } from './first-headers.ts';
import { repairReferences } from './repair-references.ts';
import { repairRelationships } from './repair-relationships.ts';
import { placeRtlTables } from './rtl-tables.ts';

export interface RepairResult {
  /** For `writePackage` or `overlayPackage`; null removes a part. */
  readonly changes: ReadonlyMap<string, Uint8Array | null>;
  readonly warnings: readonly Warning[];
}

const noKinds: ReadonlyMap<string, string> = new Map();

/**
 * The changes that make a package consistent; empty for a consistent one. LibreOffice opens no document with a dangling
 * reference, and ignores some inherited references.
 */
export function repairPackage(docx: DocxPackage): RepairResult {
  const changes = new Map<string, Uint8Array | null>();
  const warnings = new Warnings();
  for (const name of misplacedNames(docx)) changes.set(name, null);
  for (const [name, bytes] of plainContentTypes(docx)) changes.set(name, bytes);
  const remaining = overlayPackage(docx, changes);
  const names = new Map(remaining.partNames.map((name) => [name.toLowerCase(), name]));
  const kindsOf = new Map<string, ReadonlyMap<string, string>>();
  for (const relsName of remaining.partNames) {
    if (!/(?:^|\/)_rels\/[^/]*\.rels$/i.test(relsName)) continue;
    const sourceKey = sourcePartOf(relsName).toLowerCase();
    const source = sourceKey === '' ? '' : names.get(sourceKey);
    if (source === undefined) continue;
    const { kinds, xml, isPartLost } = repairRelationships(remaining, relsName, (name) => names.get(name));
    kindsOf.set(sourceKey, kinds);
    if (isPartLost) warnings.add('broken_reference', source === '' ? relsName : source);
    if (xml !== undefined) changes.set(relsName, Buffer.from(xml));
  }
  for (const name of remaining.partNames) {
    if (!isXmlPart(remaining, name) || isSvgPart(remaining, name) || /\.rels$|^\[content_types\]/i.test(name)) continue;
    const repaired = repairPart(remaining, name, kindsOf.get(name.toLowerCase()) ?? noKinds, (code) =>
      warnings.add(code, name),
    );
    if (repaired !== undefined) changes.set(name, Buffer.from(repaired));
  }
  for (const [name, bytes] of defaultTheme(overlayPackage(docx, changes))) changes.set(name, bytes);
  return { changes, warnings: warnings.list() };
}

function repairPart(
  docx: DocxPackage,
  name: string,
  kinds: ReadonlyMap<string, string>,
  onRepaired: (code: WarningCode) => void,
): string | undefined {
  const xml = docx.readText(name) ?? '';
  const referred = repairReferences({ xml, kinds, isMain: name === docx.mainPart, onRepaired });
  const separated = cutCycles(referred ?? xml, onRepaired) ?? referred;
  const balanced = balanceFields(separated ?? xml, onRepaired) ?? separated;
  const repeated = name === docx.mainPart ? repeatFirstHeaders(balanced ?? xml) : undefined;
  return placeRtlTables(repeated ?? balanced ?? xml) ?? repeated ?? balanced;
}

/** The content types in UTF-8 and without a prefix, the only form that LibreOffice reads. */
function* plainContentTypes(docx: DocxPackage): Generator<[name: string, bytes: Buffer]> {
  const name = docx.entry('[Content_Types].xml')?.name;
  const xml = name === undefined ? undefined : docx.readText(name);
  if (name === undefined || xml === undefined) return;
  const plain = Buffer.from(xml);
  if (docx.read(name)?.equals(plain) !== true) yield [name, plain];
}

/**
 * Part names that use another part as a folder, which an archive with folders cannot hold (ECMA-376 part 2, 6.2.2.3).
 */
function misplacedNames(docx: DocxPackage): string[] {
  const names = new Set(docx.partNames.map((name) => name.toLowerCase()));
  const isBelowPart = (name: string): boolean => {
    for (let slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
      if (names.has(name.slice(0, slash))) return true;
    }
    return false;
  };
  return docx.partNames.filter((name) => isBelowPart(name.toLowerCase()));
}
