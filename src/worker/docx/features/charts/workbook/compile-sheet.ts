import { escapeText } from '@docmill/word/escape-xml';
import type { TemplateSyntax } from '../../../../../shared/template-syntax.ts';
import { delimitText } from '../../../core/compile/delimit-tags.ts';
import type { FeatureNode, Node } from '../../../core/nodes.ts';
import { checkSections } from '../../../language/check-sections.ts';
import { parseTagText } from '../../../language/expressions/parse-tag-text.ts';
import { type ScannedTag, scanTags, type TagProblem } from '../../../language/scan-tags.ts';
import type { TagSyntaxes } from '../../../language/tag.ts';
import { docxLimits } from '../../../limits.ts';
import { cellName } from './area.ts';
import { cellNodes } from './cell-nodes.ts';
import { filledSheet, type TemplateRow } from './filled-sheet.ts';
import type { SheetCell, SheetRow } from './read-sheet.ts';

/** How the chart uses a cell. */
export interface CellUse {
  /** For example `series 2`. */
  readonly place: string | undefined;
  /** Whether the chart draws its value. */
  readonly isNumber: boolean;
}

export interface SheetProblem {
  readonly text: string;
  readonly problem: TagProblem;
  /** For example `series 2, cell C2`. */
  readonly place: string;
}

export interface CompiledSheet {
  /** Nodes that fill the chart's sheet when they are rendered, and write nothing. */
  readonly nodes: readonly Node[];
  readonly problems: readonly SheetProblem[];
  /** The numbers of rows in sections. */
  readonly repeatedRows: ReadonlySet<number>;
}

interface SheetOptions {
  readonly name: string;
  readonly syntaxes: TagSyntaxes;
  readonly syntax: TemplateSyntax;
  readonly useOf: (row: number, column: number) => CellUse;
}

/** A cell with tags. Its text is escaped as XML. */
interface TaggedCell {
  readonly row: SheetRow;
  readonly cell: SheetCell;
  readonly text: string;
  readonly tags: readonly ScannedTag[];
  /** Tags of sections that repeat whole rows. */
  readonly ofRows: Set<ScannedTag>;
}

/** Compiles the tags in the cells of a sheet; undefined when it has none. A section over several cells repeats their rows. */
export function compileSheet(rows: readonly SheetRow[], options: SheetOptions): CompiledSheet | undefined {
  const problems: SheetProblem[] = [];
  const tagged = new Map<SheetCell, TaggedCell>();
  for (const row of rows) {
    for (const cell of row.cells) {
      const text = textOf(cell, options);
      if (!/[{}]/.test(text)) continue;
      const { syntaxes, syntax } = options;
      const scan = scanTags(text, docxLimits.tags, { syntaxes, isStrict: syntax.unlikelyTags === 'text' });
      tagged.set(cell, { row, cell, text, tags: scan.tags, ofRows: new Set() });
      for (const problem of scan.problems) problems.push(report(row, cell, problem, options));
    }
  }
  if (tagged.size === 0) return undefined;
  for (const row of rows) {
    for (const cell of row.cells) {
      if (cell.hasFormula) problems.push(report(row, cell, formulaProblem(row, cell), options));
    }
  }
  problems.push(...sectionProblems([...tagged.values()], options), ...specialProblems([...tagged.values()], options));
  if (problems.length > 0) return { nodes: [], problems, repeatedRows: new Set() };
  const builder = new SheetBuilder(rows, tagged, options);
  return { nodes: builder.build(), problems: builder.problems, repeatedRows: builder.repeatedRows };
}

/** The text of a cell, escaped as XML and with braces as delimiters. */
function textOf({ value }: SheetCell, { syntax }: SheetOptions): string {
  return typeof value === 'string' ? delimitText(escapeText(value), syntax) : '';
}

function report(row: SheetRow, cell: SheetCell, problem: TagProblem, options: SheetOptions): SheetProblem {
  const { place } = options.useOf(row.number, cell.column);
  const name = `cell ${cellName(cell.column, row.number)}`;
  return { text: textOf(cell, options), problem, place: place === undefined ? name : `${place}, ${name}` };
}

function formulaProblem(row: SheetRow, cell: SheetCell): TagProblem {
  const message = `the cell ${cellName(cell.column, row.number)} has a formula, and formulas are not calculated`;
  return { message, tag: '', offset: 0, hint: 'compute the value in a tag, for example {price * quantity}' };
}

/** Marks the sections that repeat rows, and finds sections that do not fit together. */
function sectionProblems(cells: readonly TaggedCell[], options: SheetOptions): SheetProblem[] {
  const found: SheetProblem[] = [];
  const owners = new Map<ScannedTag, TaggedCell>();
  const all: ScannedTag[] = [];
  for (const cell of cells) {
    for (const tag of cell.tags) {
      const numbered = { ...tag, offset: all.length };
      owners.set(numbered, cell);
      all.push(numbered);
    }
  }
  for (const problem of checkSections(all)) {
    const tag = all[problem.offset];
    const owner = tag === undefined ? undefined : owners.get(tag);
    if (owner !== undefined) found.push(report(owner.row, owner.cell, { ...problem, offset: 0 }, options));
  }
  if (found.length > 0) return found;
  const open: { tag: ScannedTag; cell: TaggedCell }[] = [];
  for (const cell of cells) {
    for (const tag of cell.tags) {
      if (tag.kind === 'section' || tag.kind === 'inverted') open.push({ tag, cell });
      if (tag.kind !== 'close') continue;
      const opener = open.pop();
      if (opener === undefined || opener.cell === cell) continue;
      opener.cell.ofRows.add(opener.tag);
      cell.ofRows.add(tag);
    }
  }
  return [...found, ...overlaps(cells, options)];
}

/** In one row, the sections that start must come before those that end. */
function overlaps(cells: readonly TaggedCell[], options: SheetOptions): SheetProblem[] {
  let row: SheetRow | undefined;
  let hasEnd = false;
  return cells.flatMap((cell) => {
    if (cell.row !== row) hasEnd = false;
    row = cell.row;
    return cell.tags.flatMap((tag) => {
      if (!cell.ofRows.has(tag)) return [];
      if (tag.kind === 'close') hasEnd = true;
      else if (hasEnd) {
        const message = `the section ${tag.written} starts in a row in which another section ends`;
        const problem = { message, tag: tag.written, offset: tag.offset, hint: 'start it in the next row' };
        return [report(cell.row, cell.cell, problem, options)];
      }
      return [];
    });
  });
}

function specialProblems(cells: readonly TaggedCell[], options: SheetOptions): SheetProblem[] {
  return cells.flatMap((cell) =>
    cell.tags
      .filter(({ kind }) => kind === 'special')
      .map(({ written, offset }) => {
        const message = `the tag ${written} is not allowed in the data of a chart`;
        const problem = { message, tag: written, offset, hint: 'write a value, for example {name}' };
        return report(cell.row, cell.cell, problem, options);
      }),
  );
}

/** Builds the nodes of the rows: a node that starts the row, the nodes of its cells with tags, sections around rows. */
class SheetBuilder {
  readonly problems: SheetProblem[] = [];
  readonly repeatedRows = new Set<number>();
  readonly #rows: readonly SheetRow[];
  readonly #tagged: ReadonlyMap<SheetCell, TaggedCell>;
  readonly #options: SheetOptions;

  constructor(rows: readonly SheetRow[], tagged: ReadonlyMap<SheetCell, TaggedCell>, options: SheetOptions) {
    this.#rows = rows;
    this.#tagged = tagged;
    this.#options = options;
  }

  build(): readonly Node[] {
    const levels: Node[][] = [[]];
    const { name } = this.#options;
    const open: { tag: ScannedTag; row: TemplateRow }[] = [];
    let previous = 0;
    for (const row of this.#rows) {
      const cells = row.cells.flatMap((cell) => this.#tagged.get(cell) ?? []);
      const ofRows = cells.flatMap(({ tags, ofRows: own }) => tags.filter((tag) => own.has(tag)));
      const starts = ofRows.filter(({ kind }) => kind !== 'close');
      const template: TemplateRow = {
        number: row.number,
        distance: row.number - previous,
        startsSection: starts.length > 0,
        isInSection: open.length + starts.length > 0,
        isBlank: row.cells.every(({ value }) => value === undefined || value === ''),
        fixed: fixedCells(row, this.#tagged),
      };
      previous = row.number;
      if (template.isInSection) this.repeatedRows.add(row.number);
      for (const tag of starts) {
        if (open.length === 0) levels.at(-1)?.push(sectionStart(name));
        open.push({ tag, row: template });
        levels.push([]);
      }
      levels.at(-1)?.push(rowNode(template, name), ...cells.flatMap((cell) => this.#cell(cell)));
      for (let ends = ofRows.length - starts.length; ends > 0; ends--) {
        const section = open.pop();
        const body = levels.pop() ?? [];
        if (section === undefined) continue;
        const { tag } = section;
        const expression = parseTagText(tag.text);
        const isInverted = tag.kind === 'inverted';
        levels.at(-1)?.push({ kind: 'section', tag: tag.text, expression, isInverted, body, layout: undefined });
        if (open.length === 0) levels.at(-1)?.push(sectionEnd(section.row, name));
      }
    }
    return levels[0] ?? [];
  }

  #cell({ row, cell, text, tags, ofRows }: TaggedCell): readonly Node[] {
    const { name, useOf } = this.#options;
    const { isNumber } = useOf(row.number, cell.column);
    const built = cellNodes({ text, tags, ofRows, isNumber, column: cell.column, sheet: name });
    if (!('problem' in built)) return built.nodes;
    this.problems.push(report(row, cell, built.problem, this.#options));
    return [];
  }
}

function fixedCells(row: SheetRow, tagged: ReadonlyMap<SheetCell, TaggedCell>): TemplateRow['fixed'] {
  const fixed = row.cells.filter((cell) => cell.value !== undefined && !tagged.has(cell));
  return new Map(
    fixed.map(({ column, value }) => [column, typeof value === 'string' ? escapeText(value) : value] as const),
  );
}

function rowNode(row: TemplateRow, sheet: string): FeatureNode {
  return {
    kind: 'feature',
    render: (_, state) => {
      state.budget.write(row.fixed.size + 1, '');
      filledSheet(state, sheet).startRow(row);
    },
  };
}

/** Starts an outermost section. If it prints no row, an empty row takes its place. */
function sectionStart(sheet: string): FeatureNode {
  return { kind: 'feature', render: (_, state) => filledSheet(state, sheet).startSection() };
}

function sectionEnd(row: TemplateRow, sheet: string): FeatureNode {
  return { kind: 'feature', render: (_, state) => filledSheet(state, sheet).endSection(row) };
}
