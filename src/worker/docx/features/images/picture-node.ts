import type { Expression, TagParser } from '../../language/scope.ts';
import type { Use, UseKind } from '../../language/use.ts';
import type { Column } from './column.ts';
import { type PictureForm, type PictureOptionName, readPictureTag } from './image-tag.ts';
import type { Placeholder } from './placeholder.ts';
import { placeholderNumber, withoutNumbers } from './placeholder-number.ts';

/** `{%picture}`, `{%qr text}`, `{%barcode text "kind"}` */
export interface PictureNode {
  readonly kind: 'picture';
  readonly tag: string;
  /** The picture, or the text of the code. */
  readonly expression: Expression;
  readonly form: PictureForm;
  readonly options: ReadonlyMap<PictureOptionName, Expression>;
  /** The `w:rPr` of its run, empty without one. */
  readonly runProperties: string;
  readonly column: Column;
  /** The picture of the template that it replaces. */
  readonly placeholder: Placeholder | undefined;
}

export interface PictureSurroundings {
  readonly parser: TagParser;
  readonly runProperties: string | undefined;
  readonly column: Column;
  readonly placeholders: readonly Placeholder[];
}

export function isPictureTag(text: string): boolean {
  return text.trimStart().startsWith('%');
}

/** The node of a tag that was checked before. */
export function buildPicture(text: string, around: PictureSurroundings): PictureNode {
  const { parser, runProperties = '', column, placeholders } = around;
  const number = placeholderNumber(text);
  const tag = withoutNumbers(text).trim();
  const read = readPictureTag(tag.slice(1).trim());
  if ('problem' in read) throw new Error(`a picture tag was not checked: ${read.problem}`);
  const { form, formula } = read;
  const options = new Map([...read.options].map(([name, option]) => [name, parser(option)] as const));
  const expression = askedFor(parser(formula), form, options);
  const placeholder = number === undefined ? undefined : placeholders[number];
  return { kind: 'picture', tag, expression, form, options, runProperties, column, placeholder };
}

const optionSamples = { width: '3cm', height: '3cm', size: '3cm', fit: 'contain', alt: 'Picture' } as const;

/** The schema sees what the tag makes of a value; what it is printed as is the same as for any tag. */
function askedFor(expression: Expression, form: PictureForm, options: PictureNode['options']): Expression {
  const uses = (kind: UseKind): readonly Use[] => {
    const optional = [...options].flatMap(([name, option]) =>
      option.uses('text').map((use) => ({ ...use, isOptional: true, sample: optionSamples[name] })),
    );
    if (form.kind === 'image') return [...expression.uses(kind === 'print' ? 'picture' : kind), ...optional];
    const own = expression.uses(kind === 'print' ? 'text' : kind);
    const [only] = own;
    const sample = form.kind === 'qr' ? 'https://example.com/' : form.symbology.example;
    return [
      ...(own.length === 1 && only !== undefined ? [{ ...only, sample: only.sample ?? sample }] : own),
      ...optional,
    ];
  };
  return { ...expression, uses };
}
