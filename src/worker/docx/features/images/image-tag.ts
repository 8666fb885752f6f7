import { emuPer, readLength } from '../../core/pictures/length.ts';
import { nearestName } from '../../language/edit-distance.ts';
import { normalizeExpression } from '../../language/expressions/normalize-expression.ts';
import { checkExpression, type ExpressionProblem } from '../../language/expressions/parse-tag-text.ts';
import { expressionLimits } from '../../limits.ts';
import { type Symbology, symbologies, symbologyOf } from '../barcodes/barcode-kinds.ts';
import { fits } from './fit-picture.ts';

export const pictureOptionNames = ['width', 'height', 'size', 'fit', 'alt'] as const;
export type PictureOptionName = (typeof pictureOptionNames)[number];

export type PictureForm =
  | { readonly kind: 'image' }
  | { readonly kind: 'qr' }
  | { readonly kind: 'barcode'; readonly symbology: Symbology };

/** What a tag such as `{%logo | width:"3cm"}` asks for; the formulas are still text. */
export interface PictureTag {
  readonly form: PictureForm;
  readonly isCentred: boolean;
  readonly formula: string;
  readonly options: ReadonlyMap<PictureOptionName, string>;
}

const lastOption = /(?<!\|)\|\s*(width|height|size|fit|alt)\s*:\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^|"']+?)\s*$/;
const typedCode = /^(.+?)\s+(?:"([^"]*)"|'([^']*)')$/s;

/** Reads what stands after the first `%` of a tag; a problem completes "the tag {%x} is not valid: …". */
export function readPictureTag(text: string): PictureTag | { readonly problem: string; readonly hint?: string } {
  if (text.length > expressionLimits.chars)
    return { problem: `it is longer than ${expressionLimits.chars} characters` };
  const isCentred = text.startsWith('%');
  const { rest, options } = takeOptions((isCentred ? text.slice(1) : text).trim());
  const code = /^(qr|barcode)\s+(\S.*)$/s.exec(rest);
  if (code === null) return { form: { kind: 'image' }, isCentred, formula: rest, options };
  const formula = code[2] ?? '';
  if (code[1] === 'qr') return { form: { kind: 'qr' }, isCentred, formula, options };
  const typed = typedCode.exec(normalizeExpression(formula));
  if (typed === null)
    return { problem: 'it does not say the kind of the barcode', hint: 'write {%barcode code "ean13"}' };
  const name = typed[2] ?? typed[3] ?? '';
  const symbology = symbologyOf(name);
  if (symbology === undefined) return unknownSymbology(name);
  return { form: { kind: 'barcode', symbology }, isCentred, formula: typed[1] ?? '', options };
}

function takeOptions(text: string): { rest: string; options: ReadonlyMap<PictureOptionName, string> } {
  const options = new Map<PictureOptionName, string>();
  if (!text.includes('|')) return { rest: text, options };
  let rest = normalizeExpression(text);
  for (let found = lastOption.exec(rest); found !== null; found = lastOption.exec(rest)) {
    const name = pictureOptionNames.find((known) => known === found?.[1]);
    if (name !== undefined && !options.has(name)) options.set(name, found[2] ?? '');
    rest = rest.slice(0, found.index).trim();
  }
  return { rest, options };
}

function unknownSymbology(name: string): { problem: string; hint: string } {
  const names = Object.keys(symbologies);
  const nearest = nearestName(name, names);
  const hint = nearest === undefined ? `write one of ${names.join(', ')}` : `write "${nearest}"`;
  return { problem: `there is no barcode "${name}"`, hint };
}

/** What is wrong with a picture tag, its formulas included, or undefined. */
export function checkPictureTag(text: string): ExpressionProblem | undefined {
  const tag = readPictureTag(text);
  if ('problem' in tag) return { message: tag.problem, hint: tag.hint };
  if (tag.formula === '') return { message: 'the name is missing' };
  for (const formula of [tag.formula, ...tag.options.values()]) {
    const problem = checkExpression(formula);
    if (problem !== undefined) return problem;
  }
  for (const [name, formula] of tag.options) {
    const problem = constantProblem(name, formula);
    if (problem !== undefined) return { message: `its ${name} ${problem}` };
  }
  return undefined;
}

/** What is wrong with an option whose value is written in the tag. */
function constantProblem(name: PictureOptionName, formula: string): string | undefined {
  const text = /^(["'])(.*)\1$/s.exec(formula)?.[2];
  const value = text ?? (/^[\d.]+$/.test(formula) ? Number(formula) : undefined);
  if (value === undefined || name === 'alt') return undefined;
  if (name === 'fit') return fits.some((fit) => fit === value) ? undefined : `must be one of ${fits.join(', ')}`;
  const length = readLength(value, name === 'height' ? undefined : emuPer.cm);
  return 'problem' in length ? length.problem : undefined;
}
