import PizZip from 'pizzip';
import { escapeXml, xmlHead } from './docx-builder.ts';

/** Strings, numbers and empty cells, row by row from A1. */
export type Cells = readonly (readonly (string | number | null)[])[];

const spreadsheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaging = 'http://schemas.openxmlformats.org/package/2006';
const mime = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The workbook that Word embeds for a chart: one sheet with a table, as the bytes of an .xlsx. */
export function chartWorkbook(cells: Cells): Buffer {
  const strings: string[] = [];
  const sheet = sheetXml(cells, strings);
  const items = strings.map((text) => `<si><t xml:space="preserve">${escapeXml(text)}</t></si>`).join('');
  const parts: Readonly<Record<string, string>> = {
    '[Content_Types].xml': contentTypes,
    '_rels/.rels': relationships({ officeDocument: 'xl/workbook.xml' }),
    'xl/workbook.xml': `<workbook xmlns="${spreadsheet}" xmlns:r="${office}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships({
      worksheet: 'worksheets/sheet1.xml',
      styles: 'styles.xml',
      sharedStrings: 'sharedStrings.xml',
    }),
    'xl/worksheets/sheet1.xml': sheet,
    'xl/worksheets/_rels/sheet1.xml.rels': relationships({ table: '../tables/table1.xml' }),
    'xl/tables/table1.xml': tableXml(cells),
    'xl/sharedStrings.xml': `<sst xmlns="${spreadsheet}" count="${strings.length}" uniqueCount="${strings.length}">${items}</sst>`,
    'xl/styles.xml': styles,
  };
  const zip = new PizZip();
  const date = new Date(2026, 0, 5, 9, 0, 0);
  for (const [name, content] of Object.entries(parts))
    zip.file(name, xmlHead + content, { date, createFolders: false });
  return zip.generate({ type: 'nodebuffer', compression: 'DEFLATE' });
}

export function cellName(column: number, row: number): string {
  return `${String.fromCharCode(65 + column)}${row + 1}`;
}

function sheetXml(cells: Cells, strings: string[]): string {
  const rows = cells.map((row, r) => {
    const written = row.map((value, c) => {
      const start = `<c r="${cellName(c, r)}"`;
      if (value === null) return `${start}/>`;
      if (typeof value === 'number') return `${start}><v>${value}</v></c>`;
      return `${start} t="s"><v>${strings.push(value) - 1}</v></c>`;
    });
    return `<row r="${r + 1}" spans="1:${row.length}">${written.join('')}</row>`;
  });
  const data = `<dimension ref="${extent(cells)}"/><sheetData>${rows.join('')}</sheetData>`;
  const tables = '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>';
  return `<worksheet xmlns="${spreadsheet}" xmlns:r="${office}">${data}${tables}</worksheet>`;
}

function tableXml(cells: Cells): string {
  const [head = []] = cells;
  const columns = head.map((name, i) => `<tableColumn id="${i + 1}" name="${escapeXml(String(name))}"/>`);
  const attributes = `id="1" name="Table1" displayName="Table1" ref="${extent(cells)}" totalsRowShown="0"`;
  return `<table xmlns="${spreadsheet}" ${attributes}><tableColumns count="${head.length}">${columns.join('')}</tableColumns></table>`;
}

function extent(cells: Cells): string {
  return `A1:${cellName((cells[0]?.length ?? 1) - 1, cells.length - 1)}`;
}

function relationships(targets: Readonly<Record<string, string>>): string {
  const items = Object.entries(targets).map(
    ([kind, target], i) => `<Relationship Id="rId${i + 1}" Type="${office}/${kind}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${packaging}/relationships">${items.join('')}</Relationships>`;
}

const override = (part: string, type: string) => `<Override PartName="/xl/${part}" ContentType="${mime}.${type}+xml"/>`;
const contentTypes = [
  `<Types xmlns="${packaging}/content-types">`,
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
  '<Default Extension="xml" ContentType="application/xml"/>',
  override('workbook.xml', 'sheet.main'),
  override('worksheets/sheet1.xml', 'worksheet'),
  override('tables/table1.xml', 'table'),
  override('sharedStrings.xml', 'sharedStrings'),
  override('styles.xml', 'styles'),
  '</Types>',
].join('');

const styles =
  `<styleSheet xmlns="${spreadsheet}"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>` +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs></styleSheet>';
