import { TextEdits } from '@docmill/word/text-edits';
import { attributeOf, scanXmlTags, textContent, type XmlTag } from '@docmill/word/xml-tokens';
import type { WarningCode } from '../warnings.ts';

type Range = readonly [start: number, end: number];

interface Field {
  /** The marks and the instruction of the field. */
  readonly pieces: Range[];
  instruction: string;
  hasResult: boolean;
  /** Set when the result begins. */
  isIndex: boolean;
}

/** A field that begins inside one of these elements must end inside it. */
const containers = new Set([
  'body',
  'hdr',
  'ftr',
  'footnote',
  'endnote',
  'comment',
  'tc',
  'txbxContent',
  'Choice',
  'Fallback',
]);
/** Notes, in which Word allows no index. LibreOffice omits the document's text after an index in a note. */
const withoutIndexes = new Set(['footnote', 'endnote']);
const index = /^\s*(?:TOC|INDEX|BIBLIOGRAPHY|TOA)\b/i;
const maxInstructionChars = 1_000;
const instructions = new Set(['instrText', 'delInstrText']);

/**
 * Removes the marks and instructions of fields without a beginning or an end, and keeps their text: LibreOffice omits
 * all text after an unclosed field. Does the same for an index inside another index, which crashes LibreOffice, and for
 * an index inside a note. Undefined if nothing changed.
 */
export function balanceFields(xml: string, onRepaired: (code: WarningCode) => void): string | undefined {
  if (!xml.includes('fldChar') && !xml.includes('nstrText')) return undefined;
  const edits = new TextEdits();
  /** The open fields of each container around the tag. */
  const open: Field[][] = [[]];
  const drop = ([start, end]: Range): void => edits.replace(start, end);
  let openIndexes = 0;
  let openNotes = 0;
  const dropAll = (fields: readonly Field[]): void => {
    for (const { pieces } of fields) for (const piece of pieces) drop(piece);
  };
  const dropOpen = (fields: readonly Field[]): void => {
    openIndexes -= fields.filter(({ isIndex }) => isIndex).length;
    dropAll(fields);
  };
  const beginResult = (field: Field): void => {
    field.hasResult = true;
    field.isIndex = index.test(field.instruction);
    if (field.isIndex) openIndexes++;
  };
  const endField = (field: Field, fields: Field[]): void => {
    fields.pop();
    if (field.isIndex) openIndexes--;
    if (openIndexes + openNotes > 0 && index.test(field.instruction)) dropAll([field]);
  };
  const readMark = (type: string | undefined, range: Range): void => {
    const fields = open.at(-1) ?? [];
    const field = fields.at(-1);
    if (type === 'begin') fields.push({ pieces: [range], instruction: '', hasResult: false, isIndex: false });
    else if (field === undefined || (type === 'separate' ? field.hasResult : type !== 'end')) drop(range);
    else {
      field.pieces.push(range);
      if (type === 'separate') beginResult(field);
      else endField(field, fields);
    }
  };
  const readInstruction = (range: Range): void => {
    const field = open.at(-1)?.at(-1);
    if (field === undefined || field.hasResult) drop(range);
    else {
      field.pieces.push(range);
      if (field.instruction.length < maxInstructionChars) field.instruction += textContent(xml.slice(...range));
    }
  };
  let element: XmlTag | undefined;
  scanXmlTags(xml, (tag) => {
    const { local, kind } = tag;
    if (containers.has(local) && kind !== 'empty') {
      if (withoutIndexes.has(local)) openNotes += kind === 'open' ? 1 : -1;
      if (kind === 'open') open.push([]);
      else if (open.length > 1) dropOpen(open.pop() ?? []);
    }
    if (local !== 'fldChar' && !instructions.has(local)) return;
    if (kind === 'open') element = tag;
    if (kind === 'open' || (kind === 'close' && element === undefined)) return;
    const first = kind === 'close' ? (element ?? tag) : tag;
    const range: Range = [first.start, tag.end];
    element = undefined;
    if (local === 'fldChar') readMark(attributeOf(xml, first, 'fldCharType'), range);
    else readInstruction(range);
  });
  for (const fields of open) dropOpen(fields);
  if (edits.isEmpty) return undefined;
  onRepaired('unbalanced_field');
  return edits.apply(xml);
}
