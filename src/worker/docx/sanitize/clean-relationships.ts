import { readRelationships, resolveTarget, sourcePartOf } from '@docmill/word/relationships';
import { TextEdits } from '@docmill/word/text-edits';
import { addressPieces } from '../language/address-tags.ts';
import type { DocxPackage } from '../package/open-package.ts';
import type { References } from './clean-markup.ts';
import { reasonToRemoveRelationship } from './unwanted-content.ts';
import type { WarningCode, Warnings } from './warnings.ts';

export interface CleanedRelationships extends References {
  /** The source part of the relationships; '' for the package. */
  readonly source: string;
  /** The new text; undefined if nothing changed. */
  readonly xml: string | undefined;
}

/** Removes unwanted relationships from one relationships part, and reports the consequences for its source part. */
export function cleanRelationships(
  docx: DocxPackage,
  relsName: string,
  removedParts: ReadonlyMap<string, WarningCode>,
  { warnings, keepsLinks }: { readonly warnings: Warnings; readonly keepsLinks: () => boolean },
): CleanedRelationships {
  const xml = docx.readText(relsName) ?? '';
  const source = sourcePartOf(relsName);
  const removedIds = new Set<string>();
  const linkIds = new Set<string>();
  const edits = new TextEdits();
  for (const relationship of readRelationships(xml)) {
    const { id, target, isExternal, start, end } = relationship;
    const removedTarget = isExternal ? undefined : removedParts.get(resolveTarget(source, target).toLowerCase());
    const isLink = isExternal && relationship.kind === 'hyperlink';
    const isFilled = isLink && addressPieces(target) !== undefined && keepsLinks();
    const reason = isFilled ? undefined : (reasonToRemoveRelationship(relationship) ?? removedTarget);
    if (reason === undefined) {
      if (isExternal) linkIds.add(id);
      continue;
    }
    edits.replace(start, end);
    removedIds.add(id);
    // A chart draws its cached values, so it looks the same without its workbook.
    const isChartData = reason === 'embedded_object' && !isExternal && /chart/.test(docx.contentType(source) ?? '');
    if (!isChartData) warnings.add(reason, source === '' ? relsName : source);
  }
  return { source, removedIds, linkIds, xml: edits.isEmpty ? undefined : edits.apply(xml) };
}
