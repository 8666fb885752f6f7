import type { ArrangedPart, Feature, PartCompiler, TemplatePart } from '../../core/feature.ts';
import { endOf, isTag, type ParsedPiece } from '../../core/parsed-piece.ts';
import { arrangeGrid } from './arrange-grid.ts';
import { type GridFault, gridsIn, gridTag, isGrid, type ReportGrid } from './grid-sections.ts';

/** `{#people | grid}`: a section whose items fill the cells of a table, one after the other, sheet after sheet. */
export const grids: Feature = { name: 'grids', openPart };

function openPart({ source, name, xml }: TemplatePart): PartCompiler | undefined {
  if (!xml.includes('|') || !gridTag.test(xml.replace(/<[^>]*>/g, ''))) return undefined;
  const isBody = name === source.mainPart;
  return {
    scan: () => ({ keepsCells: true }),
    arrange: (pieces, part) => {
      const reported = new Set<ParsedPiece>();
      const report: ReportGrid = (fault, found) => {
        const piece = found.find((one) => !reported.has(one));
        if (piece === undefined) return;
        for (const one of found) reported.add(one);
        const [problem, hint] = faults[fault];
        part.report({ subject: 'section', problem, hint, piece });
      };
      const arranged = isBody ? arrangeTables(pieces, part, report) : pieces;
      for (const piece of gridsIn(arranged)) report(isBody ? 'outside' : 'elsewhere', [piece]);
      return arranged;
    },
  };
}

const inOneCell = 'put both tags into one cell of the table whose cells it fills';
const faults: Readonly<Record<GridFault, readonly [problem: string, hint: string]>> = {
  outside: ['is not in a cell of a table in the body', inOneCell],
  elsewhere: ['is not in the body of the document', 'put the table into the body'],
  split: ['begins and ends in different cells, or there are other repeated rows in its table', inOneCell],
  nested: ['is in a table, a section or another grid within the cell', inOneCell],
  columns: ['is in a table with repeated columns', 'leave out the column tags: the cells of the table are fixed'],
  formats: [
    'is in a cell with {@cell} or {@row}, which format the cells of the template',
    'format text with {@text}, or the cells in Word',
  ],
  differs: [
    'has different content in another cell of its table',
    'write the content into the first cell only, and leave the other cells empty',
  ],
};

/** Arranges the tables that are not nested in other tables, including those inside sections. */
function arrangeTables(pieces: readonly ParsedPiece[], part: ArrangedPart, report: ReportGrid): readonly ParsedPiece[] {
  if (gridsIn(pieces).next().done) return pieces;
  const arranged: ParsedPiece[] = [];
  let boxes = 0;
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at];
    if (piece === undefined) continue;
    if (piece.type === 'content') boxes += textBoxesIn(piece.value);
    const end = boxes === 0 && isTag(piece, 'w:tbl', 'start') ? endOf(pieces, at, 'w:tbl') : undefined;
    if (end !== undefined) {
      for (const one of arrangeGrid(pieces.slice(at, end + 1), part.stretches, report)) arranged.push(one);
      at = end;
    } else if (piece.subparsed !== undefined && !isGrid(piece))
      arranged.push({ ...piece, subparsed: arrangeTables(piece.subparsed, part, report) });
    else arranged.push(piece);
  }
  return arranged;
}

/** The number of text boxes that begin in the markup, minus those that end in it. */
function textBoxesIn(xml: string): number {
  if (!xml.includes('w:txbxContent')) return 0;
  return xml.split('<w:txbxContent').length - xml.split('</w:txbxContent').length;
}
