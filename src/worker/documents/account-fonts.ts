import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { mergeRanges } from '../../shared/code-point-set.ts';
import type { Database } from '../../shared/db/client.ts';
import type {
  ClaimedDocument,
  ClaimedFont,
  DocumentWarning,
  UsedFont,
} from '../../shared/domain/documents/document-record.ts';
import { listWholeFonts, readCoverage } from '../../shared/domain/fonts/find-fonts.ts';
import type { ObjectStore } from '../../shared/storage/objects.ts';
import { type AccountFamily, fontPartName, toFontKey } from '../docx/account-fonts/account-family.ts';
import { withFamilyName } from '../docx/account-fonts/family-name.ts';
import { appendParts, type NewPart } from '../docx/package/append-parts.ts';
import type { RenderResult } from '../docx/sandbox/docx-pool.ts';
import type { EmbeddedFont } from '../pdf/office/office-pool.ts';

/** The account's fonts for one document. */
export interface AccountFonts {
  /** The families for rendering, which determines the fonts that the document uses. */
  readonly families: readonly AccountFamily[];
  readonly fontsOf: ReadonlyMap<AccountFamily['alias'], readonly ClaimedFont[]>;
}

/** Groups the account's fonts into families by the names that documents may use. */
export function groupFonts(
  { accountId, accountFonts }: Pick<ClaimedDocument, 'accountId' | 'accountFonts'>,
  coverage: ReadonlyMap<string, readonly number[]> = new Map(),
): AccountFonts {
  const byName = new Map<string, Map<ClaimedFont['style'], ClaimedFont>>();
  const add = (name: string, font: ClaimedFont): void => {
    const styles = byName.get(name) ?? new Map<ClaimedFont['style'], ClaimedFont>();
    byName.set(name, styles.set(font.style, font));
  };
  for (const font of accountFonts) for (const name of font.familyNames) add(toFontKey(name), font);
  const familyNames = new Set(byName.keys());
  // Documents from Word for Mac name some fonts by their full name.
  for (const font of accountFonts) if (!familyNames.has(toFontKey(font.fullName))) add(toFontKey(font.fullName), font);
  const names = new Map<string, string[]>();
  const fontsOf = new Map<string, readonly ClaimedFont[]>();
  for (const [name, styles] of byName) {
    const fonts = [...styles.values()];
    const alias = toAlias(accountId, fonts);
    names.set(alias, [...(names.get(alias) ?? []), name]);
    fontsOf.set(alias, fonts);
  }
  const families = Array.from(fontsOf, ([alias, fonts]) => ({
    alias,
    names: names.get(alias) ?? [],
    styles: fonts.map(({ style }) => style),
    coverage: mergeRanges(fonts.map(({ objectKey }) => coverage.get(objectKey) ?? [])),
  }));
  return { families, fontsOf };
}

/** The account's current fonts in the form of a claim, with their characters. */
export async function listClaimedFonts(db: Database, accountId: string) {
  const fonts = await listWholeFonts(db, accountId);
  return fonts.map((font) => ({ ...font, checksum: font.objectChecksum, uploadedChecksum: font.checksum }));
}

/** The account's current fonts, for a document that does not come from a generate request. */
export async function listAccountFonts(db: Database, accountId: string): Promise<AccountFonts> {
  const fonts = await listClaimedFonts(db, accountId);
  const coverage = new Map(fonts.map(({ objectKey, coverage }) => [objectKey, coverage]));
  return groupFonts({ accountId, accountFonts: fonts }, coverage);
}

/** The account's families for checking a template. Its documents may use others, because fonts can be replaced. */
export async function listAccountFamilies(db: Database, accountId: string): Promise<readonly AccountFamily[]> {
  return (await listAccountFonts(db, accountId)).families;
}

/** Derived from object keys, which contain random parts that no client sees and are never reused for other content. */
function toAlias(accountId: string, fonts: readonly ClaimedFont[]): string {
  const keys = fonts.map(({ objectKey }) => objectKey).sort();
  const digest = hash('sha256', [accountId, ...keys].join('\0'), 'hex');
  return `docmill${digest.slice(0, 32)}`;
}

/** Loads the bytes of a font; undefined if its object is missing. */
export type FontLoader = (font: ClaimedFont) => Promise<Uint8Array | undefined>;

/** Caches up to `maxBytes` of fonts by object key, whose content never changes. */
export function createFontLoader(objects: ObjectStore, maxBytes: number): FontLoader {
  const cache = new LRUCache<string, Uint8Array, { readonly checksum: string }>({
    maxSize: maxBytes,
    sizeCalculation: (bytes) => bytes.length + 1,
    // A running load that is evicted still completes; otherwise it would reject.
    ignoreFetchAbort: true,
    fetchMethod: (objectKey, _stale, { context }) => objects.get(objectKey, context.checksum),
  });
  return async ({ objectKey, checksum }) => cache.fetch(objectKey, { context: { checksum } });
}

/** The characters of fonts, as ranges, by object key. */
export type CoverageLoader = (fonts: readonly ClaimedFont[]) => Promise<ReadonlyMap<string, readonly number[]>>;

/** Caches the ranges of up to `maxFonts` fonts by object key, whose content never changes. */
export function createCoverageLoader(db: Database, maxFonts: number): CoverageLoader {
  const cache = new LRUCache<string, readonly number[]>({ max: maxFonts });
  return async (fonts) => {
    const found = new Map<string, readonly number[]>();
    const unknown: string[] = [];
    for (const { objectKey } of fonts) {
      const ranges = cache.get(objectKey);
      if (ranges === undefined) unknown.push(objectKey);
      else found.set(objectKey, ranges);
    }
    if (unknown.length === 0) return found;
    for (const { objectKey, coverage } of await readCoverage(db, unknown)) {
      cache.set(objectKey, coverage);
      found.set(objectKey, coverage);
    }
    return found;
  };
}

export interface DocumentWithFonts {
  readonly docx: Uint8Array;
  readonly fonts: readonly EmbeddedFont[];
  /** The account's fonts that the document uses. */
  readonly used: readonly UsedFont[];
  readonly warnings: readonly DocumentWarning[];
}

/** Embeds the account's fonts that a rendered document uses. Skips missing ones, with a warning. */
export async function embedFonts(
  load: FontLoader,
  { fontsOf }: AccountFonts,
  { docx, fontAliases = [] }: RenderResult,
): Promise<DocumentWithFonts> {
  const parts: NewPart[] = [];
  const fonts: EmbeddedFont[] = [];
  const used: UsedFont[] = [];
  const warnings: DocumentWarning[] = [];
  for (const alias of fontAliases) {
    for (const font of fontsOf.get(alias) ?? []) {
      const data = await load(font);
      const name = fontPartName(alias, font.style);
      if (data === undefined) {
        warnings.push(lostWarning(font));
        // LibreOffice does not open a document whose font table refers to a missing part.
        parts.push({ name, data: Buffer.alloc(0) });
      } else {
        parts.push({ name, data: withFamilyName(data, alias) });
        fonts.push({ name, sizeBytes: data.length });
        const upload = hash('sha256', font.objectKey, 'hex').slice(0, 32);
        used.push({ name: font.fullName, sha256: font.uploadedChecksum, upload });
      }
    }
  }
  return { docx: parts.length === 0 ? docx : appendParts(docx, parts), fonts, used, warnings };
}

function lostWarning({ fullName }: ClaimedFont): DocumentWarning {
  const message = `The font "${fullName}" was deleted while the document was produced; another font is printed.`;
  return { code: 'font_deleted', message };
}
