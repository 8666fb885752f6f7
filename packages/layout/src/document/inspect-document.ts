import type { WordPackage } from '@docmill/word/word-package';
import { type Attempt, collectInto, nothing } from './attempt.ts';
import { readBody, sectionEndingWith } from './document-body.ts';
import { openReader } from './open-reader.ts';
import { readSection } from './read-section.ts';
import type { Block } from './tree.ts';

/**
 * Lists the features of a .docx that `readDocument` does not know: each reason once, first those of the settings, then
 * the others in document order, `most` at most. An empty list does not guarantee success, because a combination of parts or
 * their layout may still be refused. Throws the errors of the package for broken parts.
 */
export function inspectDocument(source: WordPackage, most: number): readonly string[] {
  const reasons = new Set<string>();
  const attempt = collectInto(reasons, most);
  attempt(() => readParts(source, attempt), nothing);
  return [...reasons];
}

function readParts(source: WordPackage, attempt: Attempt): void {
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
