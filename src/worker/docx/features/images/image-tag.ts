import type { Features } from '../../core/feature.ts';
import { fits } from '../../core/pictures/fit-picture.ts';
import { emuPer, readLength } from '../../core/pictures/length.ts';
import type { PictureDrawing, PictureKind } from '../../core/pictures/picture.ts';
import { normalizeExpression } from '../../language/expressions/normalize-expression.ts';
import { checkExpression, type ExpressionProblem } from '../../language/expressions/parse-tag-text.ts';
import { expressionLimits } from '../../limits.ts';

export const picturePrefix = '%';

export const pictureOptionNames = ['width', 'height', 'size', 'fit', 'alt'] as const;
export type PictureOptionName = (typeof pictureOptionNames)[number];

/** A parsed tag such as `{%logo | width:"3cm"}`. Its expressions are still text. */
export interface PictureTag {
  /** How to draw the picture from text; undefined if the data holds the picture. */
  readonly drawing: PictureDrawing | undefined;
  /** The expression of the picture, or of the text it is drawn from. */
  readonly formula: string;
  readonly options: ReadonlyMap<PictureOptionName, string>;
}

export type PictureKinds = ReadonlyMap<string, PictureKind>;
export type PictureTagReading = PictureTag | { readonly problem: string; readonly hint?: string };

const lastOption = /(?<!\|)\|\s*(width|height|size|fit|alt)\s*:\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^|"']+?)\s*$/;
const keywordAndText = /^([a-z][a-z0-9]*)\s+(\S.*)$/s;
/** A form that only picture kinds use: `{%word value "option"}`. */
const likeKind = /^([a-z][a-z0-9]*)\s+[^\s"'|][^"'|]*\s(?:"[^"]*"|'[^']*')$/;

/** Parses the text after the first `%` of a tag; a problem completes "the tag {%x} is not valid: …". */
export function readPictureTag(text: string, kinds: PictureKinds): PictureTagReading {
  if (text.length > expressionLimits.chars)
    return { problem: `it is longer than ${expressionLimits.chars} characters` };
  const { rest, options } = takeOptions((text.startsWith('%') ? text.slice(1) : text).trim());
  const [, keyword = '', content = ''] = keywordAndText.exec(rest) ?? [];
  const kind = kinds.get(keyword);
  if (kind === undefined) {
    const unknown = likeKind.exec(normalizeExpression(rest))?.[1];
    return unknown === undefined ? { drawing: undefined, formula: rest, options } : unknownKind(unknown, kinds);
  }
  const drawing = kind.read(content);
  return 'problem' in drawing ? drawing : { drawing, formula: drawing.formula, options };
}

function unknownKind(keyword: string, kinds: PictureKinds): { problem: string; hint: string } {
  const forms = [...kinds.keys()].map((known) => `{%${known} …}`);
  return { problem: `there is no kind of picture "${keyword}"`, hint: `write ${['{%name}', ...forms].join(' or ')}` };
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

/** The problem of a picture tag or its expressions, if any. */
export function checkPictureTag(text: string, { pictures }: Features): ExpressionProblem | undefined {
  const tag = readPictureTag(text, pictures);
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

/** The problem of an option with a literal value, if any. */
function constantProblem(name: PictureOptionName, formula: string): string | undefined {
  const text = /^(["'])(.*)\1$/s.exec(formula)?.[2];
  const value = text ?? (/^[\d.]+$/.test(formula) ? Number(formula) : undefined);
  if (value === undefined || name === 'alt') return undefined;
  if (name === 'fit') return fits.some((fit) => fit === value) ? undefined : `must be one of ${fits.join(', ')}`;
  const length = readLength(value, name === 'height' ? undefined : emuPer.cm);
  return 'problem' in length ? length.problem : undefined;
}

export function isPictureTag(text: string): boolean {
  return text.trimStart().startsWith(picturePrefix);
}
