import { readRelationships, relationshipsPartOf, resolveTarget } from '@docmill/word/relationships';
import { TextEdits } from '@docmill/word/text-edits';
import { scanXmlTags, tagName } from '@docmill/word/xml-tokens';
import type { DocxPackage } from '../package/open-package.ts';

/** The first elements of the settings, in the order of the schema (ECMA-376 part 1, 17.15.1.78). */
const order: readonly string[] = (
  'writeProtection view zoom removePersonalInformation removeDateAndTime doNotDisplayPageBoundaries ' +
  'displayBackgroundShape printPostScriptOverText printFractionalCharacterWidth printFormsData embedTrueTypeFonts ' +
  'embedSystemFonts saveSubsetFonts saveFormsData mirrorMargins alignBordersAndEdges bordersDoNotSurroundHeader ' +
  'bordersDoNotSurroundFooter gutterAtTop hideSpellingErrors hideGrammaticalErrors activeWritingStyle proofState ' +
  'formsDesign attachedTemplate linkStyles stylePaneFormatFilter stylePaneSortMethod documentType mailMerge ' +
  'revisionView trackRevisions doNotTrackMoves doNotTrackFormatting documentProtection autoFormatOverride ' +
  'styleLockTheme styleLockQFSet defaultTabStop autoHyphenation consecutiveHyphenLimit hyphenationZone ' +
  'doNotHyphenateCaps showEnvelope summaryLength clickAndTypeStyle defaultTableStyle evenAndOddHeaders'
).split(' ');

/** The name of the part with the settings of the document; undefined if it has none. */
export function settingsPartOf(docx: DocxPackage): string | undefined {
  const relationships = readRelationships(docx.readText(relationshipsPartOf(docx.mainPart)) ?? '');
  const found = relationships.find(({ kind, isExternal }) => kind === 'settings' && !isExternal);
  return found && docx.entry(resolveTarget(docx.mainPart, found.target))?.name;
}

/** Replaces the setting `name`, which is one of `order`, by `element`; `''` removes it. */
export function withSetting(settings: string, name: string, element: string): string {
  const earlier = new Set(order.slice(0, order.indexOf(name)));
  const edits = new TextEdits();
  let depth = 0;
  let from = 0;
  let insertAt = -1;
  scanXmlTags(settings, (tag) => {
    const { kind, local, start, end } = tag;
    if (depth === 0 && kind === 'empty') edits.replace(end - 2, end, `>${element}</${tagName(settings, tag)}>`);
    if (kind === 'close') depth--;
    const isRoot = depth === 0 && kind === 'open';
    if (isRoot || (depth === 1 && kind !== 'open' && earlier.has(local))) insertAt = end;
    if (depth === 1 && local === name) {
      if (kind !== 'close') from = start;
      if (kind !== 'open') edits.replace(from, end, edits.isEmpty ? element : '');
    }
    if (kind === 'open') depth++;
  });
  if (edits.isEmpty && insertAt >= 0) edits.replace(insertAt, insertAt, element);
  return edits.apply(settings);
}
