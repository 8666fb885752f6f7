import { readRelationships, relationshipsPartOf, resolveTarget } from '@docmill/word/relationships';
import { TextEdits } from '@docmill/word/text-edits';
import {
  type ArrangedPart,
  type Feature,
  oncePerTemplate,
  type PartCompiler,
  type TemplateInput,
  type TemplatePart,
} from '../../core/feature.ts';
import { movedSetup, taggedSetup } from '../../core/page-sections.ts';
import type { ParsedPiece } from '../../core/parsed-piece.ts';
import type { Warning } from '../../core/warning.ts';
import {
  type Documents,
  type DocumentsFault,
  documentsTag,
  findDocuments,
  type PlacedSetup,
} from './find-documents.ts';
import { asBehind, asFirst, framesOf } from './page-setups.ts';

/**
 * `{#letters | documents}`: each item is a separate document, with its own pages, page numbers, headers and footers. A
 * section break ends each item; the feature `frames` fills the headers and footers.
 */
export const documents: Feature = { name: 'documents', openPart };

function openPart({ template, source, name, xml }: TemplatePart): PartCompiler | undefined {
  if (name !== source.mainPart)
    return mayBeFrame(source.contentType(name)) ? openFrame(template, name, xml) : openOther(xml);
  if (!hasDocuments(xml)) return undefined;
  const found = findDocuments(xml);
  const edits = new TextEdits();
  for (const one of found) if (typeof one !== 'string') edit(xml, one, edits);
  return {
    xml: edits.apply(xml),
    scan: () => ({
      warnings: found.some((one) => typeof one !== 'string' && countsAll(xml, one)) ? [countsAllPages] : [],
    }),
    arrange: (pieces, part) => reportFaults(pieces, part, found),
  };
}

function hasDocuments(xml: string): boolean {
  return xml.includes('|') && documentsTag.test(xml.replace(/<[^>]*>/g, ''));
}

const mayBeFrame = (type: string | undefined) => type !== undefined && /\.(?:header|footer)\+xml$/.test(type);
const counter = /\bNUMPAGES\b/g;
const mayCount = /<w:(?:instrText|fldSimple)\b[^<]*NUMPAGES|w:instr="[^"]*NUMPAGES/;

/** In the headers and footers of items, NUMPAGES becomes the number of pages of the item. */
function openFrame(template: TemplateInput, name: string, xml: string): PartCompiler | undefined {
  const { frames, isOneSection } = framesOfItems(template);
  if (!frames.has(name) || !mayCount.test(xml)) return openOther(xml);
  const others = openOther(xml) ?? {};
  return isOneSection
    ? { ...others, xml: xml.replace(counter, 'SECTIONPAGES'), scan: () => ({ hasTags: true }) }
    : { ...others, scan: () => ({ warnings: [countsAllPages] }) };
}

/** Reports sections with the formatter outside the body. */
function openOther(xml: string): PartCompiler | undefined {
  return hasDocuments(xml) ? { arrange: (pieces, part) => reportFaults(pieces, part, []) } : undefined;
}

const countsAllPages: Warning = {
  code: 'pages_of_all_items',
  message:
    'NUMPAGES counts the pages of all items of a section with "documents", because an item has several page setups. SECTIONPAGES counts those of one page setup.',
};

interface ItemFrames {
  readonly frames: ReadonlySet<string>;
  readonly isOneSection: boolean;
}

const framesOfItems = oncePerTemplate(({ source }: TemplateInput): ItemFrames => {
  const xml = source.readText(source.mainPart) ?? '';
  if (!hasDocuments(xml)) return { frames: new Set(), isOneSection: true };
  const found = findDocuments(xml).filter((one): one is Documents => typeof one !== 'string');
  const setups = found.flatMap(({ before, inside, after }) => [...before, ...inside, ...(after ? [after] : [])]);
  const ids = new Set(setups.flatMap((one) => [...framesOf(one.xml).values()].map(idOf)));
  const relationships = readRelationships(source.readText(relationshipsPartOf(source.mainPart)) ?? '');
  const frames = relationships.flatMap(({ id, target, isExternal }) => {
    const part = !isExternal && ids.has(id) ? source.entry(resolveTarget(source.mainPart, target))?.name : undefined;
    return part === undefined ? [] : [part];
  });
  return { frames: new Set(frames), isOneSection: found.every((one) => setupCount(one) === 1) };
});

const idOf = (reference: string): string => /\sr:id="([^"]*)"/.exec(reference)?.[1] ?? '';
const setupCount = ({ inside, endsWithBreak }: Documents): number => inside.length + (endsWithBreak ? 0 : 1);

function countsAll(xml: string, found: Documents): boolean {
  return setupCount(found) > 1 && mayCount.test(xml.slice(found.start, found.end));
}

/** Ends each item with the page setup of its last pages, and restarts its page numbers at 1. */
function edit(xml: string, found: Documents, edits: TextEdits): void {
  const { start, end, before, inside, after, endsWithBreak } = found;
  const framesIn = (setups: readonly PlacedSetup[]) => new Map(setups.flatMap((setup) => [...framesOf(setup.xml)]));
  const inherited = framesIn(before);
  const later = framesIn([...inside.slice(1), ...(endsWithBreak || after === undefined ? [] : [after])]);
  const [first] = inside;
  if (first !== undefined)
    edits.replace(first.start, first.start + first.xml.length, asFirst(first.xml, inherited, later));
  if (setupCount(found) === 1) {
    const content = xml.slice(start, end);
    for (const { index, 0: word } of content.matchAll(counter)) {
      const isCode = /<w:instrText\b[^>]*>[^<]*$|<w:fldSimple\b[^>]*$/.test(
        content.slice(Math.max(0, index - 400), index),
      );
      if (isCode) edits.replace(start + index, start + index + word.length, 'SECTIONPAGES');
    }
  }
  if (!endsWithBreak) {
    const setup = (after?.xml ?? '<w:sectPr/>').replace(/<w:sectPrChange\b[\s\S]*<\/w:sectPrChange\s*>/, '');
    const own = first === undefined ? asFirst(setup, inherited, new Map()) : setup;
    edits.replace(end, end, `<w:p><w:pPr>${taggedSetup}${movedSetup}${own}</w:pPr></w:p>`);
  }
  // No page after the last item would show its headers and footers.
  if (after !== undefined) edits.replace(after.start, after.start + after.xml.length, asBehind(after.xml));
}

const faults: Readonly<Record<DocumentsFault | 'elsewhere', readonly [problem: string, hint: string]>> = {
  alone: [
    'makes documents of its items, but its tags are not alone in paragraphs of the body',
    'put each of the two tags into its own paragraph, outside tables and other sections',
  ],
  pages: [
    'makes documents of its items, but shares a page with other content',
    'put all content between its tags, or a section break (next page) between them and the other content',
  ],
  elsewhere: ['makes documents of its items, but is not in the body', 'put it into the body of the document'],
};

function reportFaults(
  pieces: readonly ParsedPiece[],
  { report }: ArrangedPart,
  found: readonly (Documents | DocumentsFault)[],
): readonly ParsedPiece[] {
  for (const [at, piece] of [...documentTags(pieces)].entries()) {
    const one = found[at] ?? 'elsewhere';
    if (typeof one !== 'string') continue;
    const [problem, hint] = faults[one];
    report({ subject: 'section', problem, hint, piece });
  }
  return pieces;
}

function* documentTags(pieces: readonly ParsedPiece[]): Generator<ParsedPiece> {
  for (const piece of pieces) {
    if (piece.type === 'placeholder' && /\|\s*documents\s*(?:\||$)/.test(piece.value)) yield piece;
    if (piece.subparsed !== undefined) yield* documentTags(piece.subparsed);
  }
}
