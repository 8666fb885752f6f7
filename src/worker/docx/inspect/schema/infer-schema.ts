import type { DataSchema } from '../../../../shared/data-schema.ts';
import type { JsonObject } from '../../../../shared/json.ts';
import { askedBy, type FeatureNode, type Node, type PartNodes, type SectionNode } from '../../core/nodes.ts';
import { anyKey, type Use } from '../../language/use.ts';
import { exampleData } from './example-data.ts';
import { directNames, sectionRole, sharesData } from './section-role.ts';
import { Shape, ShapeBudget } from './shape.ts';
import { toDataSchema } from './to-data-schema.ts';

export interface InferredSchema {
  /** JSON Schema 2020-12 of the `data` a template needs. */
  readonly schema: DataSchema;
  /** Data that fits the schema and fills the template. */
  readonly example: JsonObject;
}

/** Infers the data that a template needs from its tags. The result is plain JSON, bounded in size and deterministic. */
export function inferSchema({ parts }: { readonly parts: readonly PartNodes[] }): InferredSchema {
  const { root, isCut } = collectShape(parts);
  return { schema: toDataSchema(root, isCut), example: exampleData(root) };
}

interface CollectedShape {
  readonly root: Shape;
  /** Whether the template has more names than a schema may list. */
  readonly isCut: boolean;
}

/** The shape of the data that the tags of a template read. */
function collectShape(parts: readonly PartNodes[]): CollectedShape {
  const budget = new ShapeBudget();
  const root = new Shape(budget);
  const known = new Set<string>();
  const roots = parts.filter(({ isEmbedded }) => !isEmbedded).map(({ nodes }) => withEmbedded(nodes, parts));
  for (const nodes of roots) directNames(nodes, known);
  const positions = new Map<Node, number>();
  for (const nodes of roots) notePositions(nodes, positions);
  for (const nodes of roots) noteValues(nodes, { own: root, positions }, true);
  const anchors: AnchorLevels = new Map();
  for (const nodes of roots) noteSections(nodes, { own: root, positions }, known, anchors);
  return { root, isCut: budget.isExceeded };
}

/** Inserts the nodes of embedded parts in the places that show them. */
function withEmbedded(nodes: readonly Node[], parts: readonly PartNodes[]): readonly Node[] {
  if (!parts.some(({ isEmbedded }) => isEmbedded)) return nodes;
  return nodes.flatMap((node): readonly Node[] => {
    if (node.kind === 'section') return [{ ...node, body: withEmbedded(node.body, parts) }];
    const shown = node.kind === 'feature' ? parts.find(({ name }) => name === node.embeds) : undefined;
    return shown === undefined ? [node] : [node, ...shown.nodes];
  });
}

/** A scope for name lookup. In a column of a repeated row, names that the column's items lack belong to the row. */
interface Level {
  readonly own: Shape;
  readonly around?: Level;
  /** The position of each tag in the template. */
  readonly positions: ReadonlyMap<Node, number>;
}

function notePositions(nodes: readonly Node[], positions: Map<Node, number>): void {
  for (const node of nodes) {
    positions.set(node, positions.size);
    if (node.kind === 'section') notePositions(node.body, positions);
  }
}

function shapeOf({ own, around }: Pick<Level, 'own' | 'around'>, { segments }: Pick<Use, 'segments'>): Shape {
  const [first = ''] = segments;
  const isOwn = around === undefined || first === '.' || own.properties.has(first);
  return isOwn ? own : shapeOf(around, { segments });
}

function noteUse(level: Level, node: Node, use: Use, isRequired: boolean): void {
  const shape = shapeOf(level, use);
  shape.note(use, isRequired, level.positions.get(node) ?? 0);
  let at = -1;
  for (const key of use.keys ?? []) {
    at = use.segments.indexOf(anyKey, at + 1);
    for (const by of key) shape.noteKeys(use.segments.slice(0, at), shapeOf(level, by).at(by.segments));
  }
}

/** Runs before `noteSections`, so that a value used as an object elsewhere is known when its section is visited. */
function noteValues(nodes: readonly Node[], level: Level, isRequired: boolean): void {
  for (const node of nodes) {
    if (node.kind === 'section') {
      if (sharesData(node)) noteValues(node.body, level, isRequired);
      continue;
    }
    for (const use of askedBy(node)?.expression.uses('print') ?? []) noteUse(level, node, use, isRequired);
  }
}

/** The levels of nodes that look up values for later sections. */
type AnchorLevels = Map<FeatureNode, Level>;

function noteSections(nodes: readonly Node[], level: Level, known: ReadonlySet<string>, anchors: AnchorLevels): void {
  for (const node of nodes) {
    if (node.kind === 'feature') anchors.set(node, level);
    if (node.kind !== 'section') continue;
    if (sharesData(node)) noteSections(node.body, level, known, anchors);
    else if (node.included !== undefined) noteIncluded(node, level, anchors);
    else noteSection(node, level, known, anchors);
  }
}

/** Notes the data of an included template: an object, or a list if another tag uses it as one. */
function noteIncluded(section: SectionNode, level: Level, anchors: AnchorLevels): void {
  const { expression, body } = section;
  const uses = expression.uses('section');
  for (const use of uses) noteUse(level, section, use, false);
  const subject = uses.find(({ kind }) => kind === 'section');
  if (subject === undefined) return;
  const shape = shapeOf(level, subject).at(subject.segments);
  const inner = { own: shape.isList || shape.isEntered ? shape.items : shape, positions: level.positions };
  noteValues(body, inner, true);
  noteSections(body, inner, directNames(body), anchors);
}

function noteSection(section: SectionNode, row: Level, known: ReadonlySet<string>, anchors: AnchorLevels): void {
  const level = (section.source === undefined ? undefined : anchors.get(section.source.anchor)) ?? row;
  const role = sectionRole(section, known);
  for (const use of section.expression.uses('section')) noteUse(level, section, use, false);
  const shape = role.kind === 'loop' ? shapeOf(level, role.subject).at(role.subject.segments) : undefined;
  if (role.kind === 'condition' || shape === undefined || (shape.isPrinted && !role.isCertainlyList)) {
    noteValues(section.body, row, false);
    noteSections(section.body, row, known, anchors);
    return;
  }
  const { groupedBy } = role.subject;
  const isObject = !role.isCertainlyList && !shape.isList && shape.properties.size > 0;
  if (role.isCertainlyList) shape.isList = true;
  else if (!isObject) shape.isEntered = true;
  if (role.isPlural) shape.isPlural = true;
  const own = groupedBy === undefined ? (isObject ? shape : shape.items) : shape.groupBy(groupedBy);
  const { positions } = row;
  const inner = level === row && groupedBy === undefined ? { own, positions } : { own, around: row, positions };
  noteValues(section.body, inner, false);
  noteSections(section.body, inner, new Set([...known, ...directNames(section.body)]), anchors);
}
