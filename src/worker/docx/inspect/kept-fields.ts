import type { ScannedPart } from '../core/compile/scan-template.ts';
import type { Warning } from '../core/warning.ts';
import { fieldLanguage } from '../fields/format-number.ts';
import { nameOf } from '../fields/read-code.ts';
import { type Field, readFields } from '../fields/read-fields.ts';
import { mayHaveComputedFields, updateFields } from '../fields/update-fields.ts';
import type { DocxPackage } from '../package/open-package.ts';

const code = 'field_kept';

/** Fields that neither the service nor LibreOffice computes. */
const keptNames: ReadonlySet<string> = new Set(
  (
    'ASK AUTONUM AUTONUMLGL AUTONUMOUT AUTOTEXT AUTOTEXTLIST BARCODE CITATION DISPLAYBARCODE DOCVARIABLE EDITTIME EQ FILESIZE ' +
    'FILLIN INFO LASTSAVEDBY LISTNUM PRINT REVNUM TEMPLATE USERADDRESS USERINITIALS USERNAME'
  ).split(' '),
);

/** One warning for each part with fields that keep the results that Word saved. */
export function keptFields(source: DocxPackage, parts: readonly Pick<ScannedPart, 'name' | 'label'>[]): Warning[] {
  return parts.flatMap(({ name, label }) => {
    const xml = source.readText(name) ?? '';
    if (!/fldChar|fldSimple/.test(xml)) return [];
    const found = [...keptByName(xml), ...keptByForm(xml, name === source.mainPart)];
    if (found.length === 0) return [];
    const [first = '', ...more] = new Set(found);
    const subject = more.length === 0 ? `The field ${first} keeps` : `The fields ${[first, ...more].join(', ')} keep`;
    const message = `${subject} the result that Word saved in the template.`;
    return [{ code, message, part: label, count: found.length }];
  });
}

function keptByName(xml: string): string[] {
  const names: string[] = [];
  const visit = (field: Field): void => {
    const name = nameOf(field);
    if (keptNames.has(name)) names.push(name);
    for (const item of [...field.code, ...field.result]) if (item.kind === 'field') visit(item);
  };
  for (const field of readFields(xml)?.fields ?? []) visit(field);
  return names;
}

/** Fields that would be computed in another form. */
function keptByForm(xml: string, isBody: boolean): string[] {
  if (!mayHaveComputedFields(xml)) return [];
  const facts = { language: fieldLanguage('en'), fileName: 'document.docx', isBody };
  return updateFields(xml, { facts, replaces: false }).kept.map(({ name, reason }) => `${name} (${reason})`);
}
