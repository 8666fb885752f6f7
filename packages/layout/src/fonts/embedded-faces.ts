import { readRelationships, relationshipsPartOf, resolveTarget } from '@docmill/word/relationships';
import type { WordPackage } from '@docmill/word/word-package';
import { readAttributes, scanXmlTags } from '@docmill/word/xml-tokens';
import { LRUCache } from 'lru-cache';
import { UnknownFeature } from '../unknown-feature.ts';
import type { FaceChoice } from './find-faces.ts';
import { type FontFace, openFontFace } from './font-face.ts';

const mostFaces = 40;
const mostBytes = 48 * 1024 * 1024;
/** A key of zeros leaves the bytes of a font as they are (ECMA-376 part 1, 17.8.1). */
const noKey = '{00000000-0000-0000-0000-000000000000}';
const styles: ReadonlyMap<string, string> = new Map([
  ['embedRegular', 'false\nfalse'],
  ['embedBold', 'true\nfalse'],
  ['embedItalic', 'false\ntrue'],
  ['embedBoldItalic', 'true\ntrue'],
]);

/** The fonts that a document embeds. */
export interface EmbeddedFaces {
  /**
   * Reads the fonts of the next document. Assumes that families of the same name are the same font in all documents.
   */
  open(source: WordPackage): void;
  /** A font of the document; undefined for a family that it does not embed. Throws UnknownFeature. */
  faceOf(choice: FaceChoice): FontFace | undefined;
}

/** Opens embedded fonts that are not obfuscated, and caches the most recently used ones. */
export function openEmbeddedFaces(): EmbeddedFaces {
  const faces = new LRUCache<string, FontFace>({
    max: mostFaces,
    maxSize: mostBytes,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
  });
  let families: ReadonlyMap<string, ReadonlyMap<string, Buffer>> = new Map();
  return {
    open(source) {
      families = source.partNames.some((name) => name.endsWith('.odttf')) ? readFamilies(source) : new Map();
    },
    faceOf({ family, isBold, isItalic }) {
      const style = `${isBold}\n${isItalic}`;
      const fonts = families.get(family);
      if (fonts === undefined) return undefined;
      const key = `${family}\n${style}`;
      const face = faces.get(key) ?? openPlain(fonts.get(style));
      faces.set(key, face);
      return face;
    },
  };
}

/** Throws UnknownFeature for a style that would be synthesized, and for a variable font. */
function openPlain(bytes: Buffer | undefined): FontFace {
  // A copy, because the bytes may be a part of the whole document, which would stay in memory with the font.
  const face = bytes && openFontFace(Buffer.from(bytes));
  if (face === undefined || face.table('fvar') !== undefined) throw new UnknownFeature('a font that is not plain');
  return face;
}

/** The files of each family, by style. Throws UnknownFeature if one is missing. */
function readFamilies(source: WordPackage): ReadonlyMap<string, ReadonlyMap<string, Buffer>> {
  const families = new Map<string, Map<string, Buffer>>();
  const { mainPart } = source;
  const relations = readRelationships(source.readText(relationshipsPartOf(mainPart)) ?? '');
  const target = relations.find(({ kind, isExternal }) => kind === 'fonttable' && !isExternal)?.target;
  if (target === undefined) return families;
  const table = resolveTarget(mainPart, target);
  const files = new Map(
    readRelationships(source.readText(relationshipsPartOf(table)) ?? '').map((one) => [one.id, one.target]),
  );
  const xml = source.readText(table) ?? '';
  let family = new Map<string, Buffer>();
  scanXmlTags(xml, (tag) => {
    if (tag.kind === 'close') return;
    const values = new Map(readAttributes(xml, tag).map(({ local, value }) => [local, value]));
    if (tag.local === 'font') {
      family = new Map();
      families.set(values.get('name') ?? '', family);
    }
    const style = styles.get(tag.local);
    const file = files.get(values.get('id') ?? '');
    if (style === undefined || file === undefined || values.get('fontKey') !== noKey) return;
    const bytes = source.read(resolveTarget(table, file));
    if (bytes === undefined || bytes.length === 0) throw new UnknownFeature('an embedded font that is missing');
    family.set(style, bytes);
  });
  return new Map([...families].filter(([, fonts]) => fonts.size > 0));
}
