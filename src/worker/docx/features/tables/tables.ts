import type { Feature } from '../../core/feature.ts';
import { dropMarkerRows } from './drop-marker-rows.ts';
import { extractMerges } from './merges.ts';

/** Sections that repeat table rows: drops rows with only their tags and keeps vertically merged cells valid. */
export const tables: Feature = {
  name: 'tables',
  openPart: () => ({
    scan: (xml) => ({ keepsCells: xml.includes('<w:vMerge') }),
    arrange: (pieces, text) => {
      const rows = dropMarkerRows(pieces, text.stretches);
      const merged = extractMerges(rows, text);
      return merged === rows ? rows : dropMarkerRows(merged, text.stretches);
    },
  }),
};
