import type { FeatureNode } from '../../core/nodes.ts';
import type { Space } from '../../core/pictures/available-space.ts';
import { imageStore } from '../../core/pictures/image-store.ts';
import type { OpenedPicture, PictureDrawing, PictureOpening } from '../../core/pictures/picture.ts';
import { placePicture } from '../../core/pictures/place-picture.ts';
import { writeDrawing } from '../../core/pictures/write-drawing.ts';
import type { RenderState } from '../../core/render/render-state.ts';
import { evaluate, noteMissing, printedText, writeXml, writtenTag } from '../../core/render/tag-value.ts';
import { writeMissingTag } from '../../core/render/write-value.ts';
import type { AskingNode } from '../../core/value-node.ts';
import { hiddenNumber, withoutHiddenNumbers } from '../../language/hidden-number.ts';
import { type Expression, joinPath, type Scope, type TagParser } from '../../language/scope.ts';
import type { Use, UseKind } from '../../language/use.ts';
import { type PictureKinds, type PictureOptionName, readPictureTag } from './image-tag.ts';
import { readPictureValue } from './image-value.ts';
import { pictureData } from './picture-data.ts';
import { type PictureOptionValues, readPictureOptions } from './picture-options.ts';
import type { Placeholder } from './placeholders/placeholder.ts';

/** `{%picture}`, or `{%keyword text}` for a drawn picture. */
interface PictureNode extends AskingNode {
  readonly drawing: PictureDrawing | undefined;
  readonly options: ReadonlyMap<PictureOptionName, Expression>;
  /** The `w:rPr` of its run, empty without one. */
  readonly runProperties: string;
  readonly space: Space;
  /** The template picture that it replaces. */
  readonly placeholder: Placeholder | undefined;
}

export interface PictureSurroundings {
  readonly parser: TagParser;
  readonly kinds: PictureKinds;
  readonly runProperties: string | undefined;
  readonly space: Space;
  readonly placeholders: readonly Placeholder[];
}

/** Builds the node of a checked tag. */
export function pictureNode(text: string, around: PictureSurroundings): FeatureNode {
  const { parser, kinds, runProperties = '', space, placeholders } = around;
  const number = hiddenNumber(text);
  const tag = withoutHiddenNumbers(text).trim();
  const read = readPictureTag(tag.slice(1).trim(), kinds);
  if ('problem' in read) throw new Error(`a picture tag was not checked: ${read.problem}`);
  const { drawing, formula } = read;
  const options = new Map([...read.options].map(([name, option]) => [name, parser(option)] as const));
  const expression = withUses(parser(formula), drawing, options);
  const placeholder = number === undefined ? undefined : placeholders[number];
  const node = { tag, expression, drawing, options, runProperties, space, placeholder };
  return { kind: 'feature', asks: node, render: (scope, state) => renderPicture(node, scope, state) };
}

const optionSamples = { width: '3cm', height: '3cm', size: '3cm', fit: 'contain', alt: 'Picture' } as const;

/** Makes the schema report how the tag uses a value: as a picture, or as the text of a drawn picture. */
function withUses(
  expression: Expression,
  drawing: PictureDrawing | undefined,
  options: PictureNode['options'],
): Expression {
  const uses = (kind: UseKind): readonly Use[] => {
    const optional = [...options].flatMap(([name, option]) =>
      option.uses('text').map((use) => ({ ...use, isOptional: true, sample: optionSamples[name] })),
    );
    if (drawing === undefined) return [...expression.uses(kind === 'print' ? pictureData : kind), ...optional];
    const own = expression.uses(kind === 'print' ? 'text' : kind);
    const [only] = own;
    return [
      ...(own.length === 1 && only !== undefined ? [{ ...only, sample: only.sample ?? drawing.sample }] : own),
      ...optional,
    ];
  };
  return { ...expression, uses };
}

/** A picture, its options from the data, and the paths to report for faults in either. */
interface FoundPicture {
  readonly opening: PictureOpening | 'needed';
  readonly optionValues: PictureOptionValues;
  readonly path: string;
  readonly valuePath: string;
}

/** Writes the picture of a tag; nothing if the data has none. */
function renderPicture(node: PictureNode, scope: Scope, state: RenderState): void {
  state.budget.lookup(node.tag);
  const value = evaluate(node, scope, state);
  if (value === undefined) {
    noteMissing(node, scope, state);
    if (state.onMissing === 'highlight')
      writeXml(writeMissingTag(writtenTag(node, state), node.runProperties), node.tag, state);
    return;
  }
  const { drawing } = node;
  const found = drawing === undefined ? findImage(node, value, scope, state) : draw(drawing, node, value, scope, state);
  if (found === undefined || found.opening === 'needed') return;
  if ('problem' in found.opening) fault(node, found.path, found.opening.problem, state);
  else show(node, { ...found, opening: found.opening }, scope, state);
}

function findImage(node: PictureNode, value: unknown, scope: Scope, state: RenderState): FoundPicture | undefined {
  const read = readPictureValue(value);
  if (read === 'nothing') return undefined;
  const valuePath = node.expression.locate(scope);
  const key = read.key ?? '';
  const path = key === '' ? valuePath : joinPath(valuePath, key);
  if ('problem' in read) {
    fault(node, path, read.problem, state);
    return undefined;
  }
  const { width, height, fit, alt } = read;
  return { opening: imageStore(state).open(read.source), optionValues: { width, height, fit, alt }, path, valuePath };
}

function draw(
  drawing: PictureDrawing,
  node: PictureNode,
  value: unknown,
  scope: Scope,
  state: RenderState,
): FoundPicture | undefined {
  const text = printedText(node, value, scope, state);
  if (text === undefined || text === '') return undefined;
  const path = node.expression.locate(scope);
  return { opening: imageStore(state).draw(drawing, text), optionValues: {}, path, valuePath: path };
}

function show(
  node: PictureNode,
  { opening: picture, optionValues, path, valuePath }: FoundPicture & { readonly opening: OpenedPicture },
  scope: Scope,
  state: RenderState,
): void {
  const { placeholder, space } = node;
  const own = optionsOf(node, scope, state);
  const resolved = readPictureOptions({ ...own, ...present(optionValues) }, space.size.width);
  if ('problem' in resolved) {
    const isOfData = (optionValues[resolved.name] ?? null) !== null;
    const blamed = isOfData
      ? joinPath(valuePath, resolved.name)
      : (node.options.get(resolved.name)?.locate(scope) ?? path);
    fault(node, blamed, `has ${resolved.name === 'alt' ? 'an' : 'a'} ${resolved.name} that ${resolved.problem}`, state);
    return;
  }
  const isSized = resolved.width !== undefined || resolved.height !== undefined;
  const box = placeholder === undefined || isSized ? {} : placeholder.box;
  const requested = { ...resolved, ...box };
  const placed = placePicture(picture, { requested, space: space.size, alt: resolved.alt, path }, state);
  const xml =
    placeholder === undefined ? `</w:t>${writeDrawing(placed)}<w:t xml:space="preserve">` : placeholder.fill(placed);
  writeXml(xml, node.tag, state);
}

function optionsOf(node: PictureNode, scope: Scope, state: RenderState): PictureOptionValues {
  const values = [...node.options].map(([name, expression]) => {
    return [name, evaluate({ expression, tag: node.tag }, scope, state)] as const;
  });
  return Object.fromEntries(values);
}

function present(optionValues: PictureOptionValues): PictureOptionValues {
  return Object.fromEntries(Object.entries(optionValues).filter(([, value]) => value !== undefined && value !== null));
}

function fault(node: PictureNode, path: string, problem: string, state: RenderState): void {
  if (!state.faults.isFull) state.faults.add(path, `The value of ${writtenTag(node, state)} ${problem}.`);
}
