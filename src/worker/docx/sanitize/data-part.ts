import type { DocxPackage } from '../package/open-package.ts';
import { readRelationships, resolveTarget, sourcePartOf } from '../package/relationships.ts';

const dataFolder = /^(?:customxml|docprops)\//i;
const dataKinds = new Set([
  'customxml',
  'customxmlprops',
  'core-properties',
  'extended-properties',
  'custom-properties',
]);

/**
 * Whether a part is a data store or properties, where what looks like a link is data. The folder alone tells nothing:
 * LibreOffice reads a header wherever a relationship says it is.
 */
export function isDataPart(docx: DocxPackage, name: string): boolean {
  if (!dataFolder.test(name)) return false;
  const wanted = name.toLowerCase();
  return docx.partNames
    .filter((relsName) => /\.rels$/i.test(relsName))
    .every((relsName) =>
      readRelationships(docx.readText(relsName) ?? '').every(
        ({ kind, isExternal, target }) =>
          isExternal || dataKinds.has(kind) || resolveTarget(sourcePartOf(relsName), target).toLowerCase() !== wanted,
      ),
    );
}
