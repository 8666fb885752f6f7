import { type DocxPackage, openPackage } from '../../../docx/package/open-package.ts';
import { type Attempt, collectInto, nothing } from './attempt.ts';
import { readBody, sectionEndingWith } from './document-body.ts';
import { openReader } from './open-reader.ts';
import { readSection } from './read-section.ts';
import type { Block } from './tree.ts';

/**
 * Lists what a .docx has that `readDocument` does not know: each reason once, in the order of the document behind its settings, and no more than 20.
 * Empty if each part alone is known; parts together, or their layout, may be refused nevertheless. Throws as `openPackage` for broken files.
 */
export function inspectDocument(docx: Uint8Array): readonly string[] {
  const source = openPackage(docx);
  const reasons = new Set<string>();
  const attempt = collectInto(reasons);
  attempt(() => readParts(source, attempt), nothing);
  return [...reasons];
}

function readParts(source: DocxPackage, attempt: Attempt): void {
  const { settings, readBlock, readStory, emptyStory } = openReader(source, attempt);
  const { hasEvenPages } = settings;
  let blocks: Block[] = [];
  for (const child of readBody(source, attempt).children) {
    if (child.name !== 'w:sectPr') blocks.push(...readBlock(child));
    const end = sectionEndingWith(child);
    if (end === undefined) continue;
    const context = { hasEvenPages, previous: undefined, isOnlySection: true, readStory, emptyStory, attempt };
    attempt(() => readSection(end, blocks, context), nothing);
    blocks = [];
  }
}
