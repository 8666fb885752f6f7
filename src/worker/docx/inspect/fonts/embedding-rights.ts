import { damaged, type FontTables, fontRejected } from './font-tables.ts';

/** The permission that a font's licence gives for documents that embed the font. */
export type EmbeddingRights = 'installable' | 'editable' | 'print';

const restricted = 0x02;
const previewAndPrint = 0x04;
const editable = 0x08;
const noSubsetting = 0x0100;
const bitmapsOnly = 0x0200;

/**
 * Reads the embedding rights (OpenType 1.9, OS/2 `fsType`). A PDF embeds a subset for reading and printing, which all
 * but three settings permit. Throws `invalid_request` for a font that forbids it.
 */
export function readEmbeddingRights(tables: FontTables): EmbeddingRights {
  const os2 = tables.get('OS/2');
  if (os2 === undefined) throw fontRejected('is a font that does not state its embedding rights (OS/2 table)');
  if (os2.length < 68) throw damaged();
  const version = os2.readUInt16BE(0);
  const type = os2.readUInt16BE(8);
  // Up to version 2 several bits may be set, and the least restrictive one counts.
  const isRestricted = (type & restricted) !== 0 && (version >= 3 || (type & (previewAndPrint | editable)) === 0);
  if (isRestricted) {
    throw fontRejected(
      'is a font whose licence forbids embedding it in documents (restricted in fsType): use another font, or ask its vendor for one that may be embedded',
    );
  }
  if (version >= 2 && (type & noSubsetting) !== 0)
    throw fontRejected('is a font whose licence forbids embedding a part of it (no subsetting in fsType), as PDFs do');
  if (version >= 2 && (type & bitmapsOnly) !== 0)
    throw fontRejected('is a font whose licence lets documents embed only its bitmaps (fsType), which PDFs do not use');
  if ((type & editable) !== 0) return 'editable';
  return (type & previewAndPrint) !== 0 ? 'print' : 'installable';
}
