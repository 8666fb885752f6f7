import type { RenderState } from '../../core/render/render-state.ts';
import { evaluate, noteMissing, printedText, writeXml } from '../../core/render/tag-value.ts';
import { writeHighlighted } from '../../core/render/write-highlighted.ts';
import { joinPath, type Scope } from '../../language/scope.ts';
import { drawingNames } from './drawing-names.ts';
import { fitPicture } from './fit-picture.ts';
import type { OpenedPicture, PictureOpening } from './open-picture.ts';
import type { PictureNode } from './picture-node.ts';
import { readPictureValue } from './read-picture-value.ts';
import { beforeTurn } from './rotation.ts';
import { type LookValues, readLook } from './wanted-look.ts';
import { writeDrawing } from './write-drawing.ts';

/** A picture to show, what the data says of its look, and the paths to blame for either. */
interface FoundPicture {
  readonly opening: PictureOpening | 'needed';
  readonly look: LookValues;
  readonly path: string;
  readonly lookPath: string;
}

/** Writes the picture of a tag: nothing when the data holds none. */
export function renderPicture(node: PictureNode, scope: Scope, state: RenderState): void {
  state.budget.lookup(node.tag);
  const value = evaluate(node, scope, state);
  if (value === undefined) {
    noteMissing(node, scope, state);
    if (state.onMissing === 'highlight') writeXml(writeHighlighted(`{${node.tag}}`, node.runProperties), node, state);
    return;
  }
  const found = node.form.kind === 'image' ? findImage(node, value, scope, state) : findCode(node, value, scope, state);
  if (found === undefined || found.opening === 'needed') return;
  if ('problem' in found.opening) fault(node, found.path, found.opening.problem, state);
  else show(node, { ...found, opening: found.opening }, scope, state);
}

function findImage(node: PictureNode, value: unknown, scope: Scope, state: RenderState): FoundPicture | undefined {
  const read = readPictureValue(value);
  if (read === 'nothing') return undefined;
  const lookPath = node.expression.locate(scope);
  const key = read.key ?? '';
  const path = key === '' ? lookPath : joinPath(lookPath, key);
  if ('problem' in read) {
    fault(node, path, read.problem, state);
    return undefined;
  }
  const { width, height, fit, alt } = read;
  return { opening: state.pictures.open(read), look: { width, height, fit, alt }, path, lookPath };
}

function findCode(node: PictureNode, value: unknown, scope: Scope, state: RenderState): FoundPicture | undefined {
  const text = printedText(node, value, scope, state);
  if (text === undefined || text === '') return undefined;
  const { form } = node;
  const opening = form.kind === 'barcode' ? state.pictures.barcode(text, form.symbology) : state.pictures.qr(text);
  const path = node.expression.locate(scope);
  return { opening, look: {}, path, lookPath: path };
}

function show(
  node: PictureNode,
  { opening: picture, look, path, lookPath }: FoundPicture & { readonly opening: OpenedPicture },
  scope: Scope,
  state: RenderState,
): void {
  const { placeholder, column } = node;
  const { additions, pictures, partName } = state;
  const own = optionsOf(node, scope, state);
  const wanted = readLook({ ...own, ...present(look) }, column.size.width);
  if ('problem' in wanted) {
    const isOfData = (look[wanted.name] ?? null) !== null;
    const blamed = isOfData ? joinPath(lookPath, wanted.name) : (node.options.get(wanted.name)?.locate(scope) ?? path);
    fault(node, blamed, `has ${wanted.name === 'alt' ? 'an' : 'a'} ${wanted.name} that ${wanted.problem}`, state);
    return;
  }
  const isSized = wanted.width !== undefined || wanted.height !== undefined;
  const box = placeholder === undefined || isSized ? {} : placeholder.box;
  const fitted = fitPicture(picture.natural, { ...wanted, ...box }, column.size);
  pictures.place();
  const relationshipId = additions.addPicture(partName, pictures.bitmap(picture, fitted.size.width));
  const names = drawingNames(additions.isStrict);
  const shown = {
    ...beforeTurn(fitted, picture.turn),
    turn: picture.turn,
    relationshipId,
    drawingId: additions.nextDrawingId(),
    alt: wanted.alt,
    names,
  };
  writeXml(placeholder === undefined ? writeDrawing(shown) : placeholder.fill(shown), node, state);
}

function optionsOf(node: PictureNode, scope: Scope, state: RenderState): LookValues {
  const values = [...node.options].map(([name, expression]) => {
    return [name, evaluate({ expression, tag: node.tag }, scope, state)] as const;
  });
  return Object.fromEntries(values);
}

function present(look: LookValues): LookValues {
  return Object.fromEntries(Object.entries(look).filter(([, value]) => value !== undefined && value !== null));
}

function fault({ tag }: PictureNode, path: string, problem: string, { faults }: RenderState): void {
  if (!faults.isFull) faults.add(path, `The value of {${tag}} ${problem}.`);
}
