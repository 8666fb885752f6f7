import type { GridNode } from '../tables/column.ts';
import type { Node, PartNodes, SectionNode } from '../template/nodes.ts';
import { directNames, sectionRole } from './section-role.ts';
import { Shape, ShapeBudget } from './shape.ts';

export interface CollectedShape {
  readonly root: Shape;
  /** The template has more names than a schema holds. */
  readonly isCut: boolean;
}

/** The shape of the data that the tags of a template ask for. */
export function collectShape(parts: readonly PartNodes[]): CollectedShape {
  const budget = new ShapeBudget();
  const root = new Shape(budget);
  const known = new Set<string>();
  for (const part of parts) directNames(part.nodes, known);
  for (const part of parts) noteValues(part.nodes, root, true);
  const tables: TableLevels = new Map();
  for (const part of parts) noteSections(part.nodes, root, known, tables);
  return { root, isCut: budget.isExceeded };
}

/** Values before sections: what is used as an object elsewhere is known when its section is met. */
function noteValues(nodes: readonly Node[], level: Shape, isRequired: boolean): void {
  for (const node of nodes) {
    if (node.kind === 'value' || node.kind === 'link' || node.kind === 'picture')
      for (const use of node.expression.uses('print')) level.note(use, isRequired);
    if (node.kind === 'html') for (const use of node.expression.uses('html')) level.note(use, isRequired);
  }
}

/** The level at which a table begins: there the lists of its columns are looked up. */
type TableLevels = Map<GridNode, Shape>;

function noteSections(nodes: readonly Node[], level: Shape, known: ReadonlySet<string>, tables: TableLevels): void {
  for (const node of nodes) {
    if (node.kind === 'grid') tables.set(node, level);
    if (node.kind === 'section') noteSection(node, level, known, tables);
  }
}

function noteSection(section: SectionNode, row: Shape, known: ReadonlySet<string>, tables: TableLevels): void {
  const level = (section.column === undefined ? undefined : tables.get(section.column.grid)) ?? row;
  const role = sectionRole(section, known);
  if (role.kind === 'condition') {
    for (const use of section.expression.uses('truth')) level.note(use, false);
    noteValues(section.body, row, false);
    noteSections(section.body, row, known, tables);
    return;
  }
  for (const use of section.expression.uses('section')) level.note(use, false);
  const shape = level.at(role.subject.segments);
  const isObject = !role.isCertainlyList && !shape.isList && shape.properties.size > 0;
  if (!isObject) shape.isList = true;
  const inner = isObject ? shape : shape.items;
  const around = new Set([...known, ...directNames(section.body)]);
  if (level === row) noteValues(section.body, inner, false);
  else noteCells(section.body, inner, row);
  noteSections(section.body, inner, around, tables);
}

/** In repeated rows the cells of a column print the row, but for what the heading of the column tells. */
function noteCells(nodes: readonly Node[], column: Shape, row: Shape): void {
  for (const node of nodes) {
    if (node.kind !== 'value') continue;
    for (const use of node.expression.uses('print')) {
      const [first = ''] = use.segments;
      const isOfColumn = first === '.' || column.properties.has(first);
      (isOfColumn ? column : row).note(use, false);
    }
  }
}
