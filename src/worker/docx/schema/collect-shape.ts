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
  for (const part of parts) noteSections(part.nodes, root, known);
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

function noteSections(nodes: readonly Node[], level: Shape, known: ReadonlySet<string>): void {
  for (const node of nodes) if (node.kind === 'section') noteSection(node, level, known);
}

function noteSection(section: SectionNode, level: Shape, known: ReadonlySet<string>): void {
  const role = sectionRole(section, known);
  if (role.kind === 'condition') {
    for (const use of section.expression.uses('truth')) level.note(use, false);
    noteValues(section.body, level, false);
    noteSections(section.body, level, known);
    return;
  }
  for (const use of section.expression.uses('section')) level.note(use, false);
  const shape = level.at(role.subject.segments);
  const isObject = !role.isCertainlyList && !shape.isList && shape.properties.size > 0;
  if (!isObject) shape.isList = true;
  const inner = isObject ? shape : shape.items;
  const around = new Set([...known, ...directNames(section.body)]);
  noteValues(section.body, inner, false);
  noteSections(section.body, inner, around);
}
