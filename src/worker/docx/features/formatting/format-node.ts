import type { FeatureNode } from '../../core/nodes.ts';
import { oncePerPart, type RenderState } from '../../core/render/render-state.ts';
import { evaluate, noteMissing, noteProblem, writeXml } from '../../core/render/tag-value.ts';
import { betweenRuns } from '../../core/render/write-value.ts';
import { hexColour } from '../../core/styles/colour.ts';
import type { AskingNode } from '../../core/value-node.ts';
import { isTruthy } from '../../language/print-value.ts';
import type { Expression, Scope, TagParser } from '../../language/scope.ts';
import {
  asOperand,
  colourHint,
  cssColour,
  type FormatProperty,
  type FormatTarget,
  formatPrefix,
  formatProperties,
  isFormatTag,
  readFormatTag,
} from './format-tag.ts';

/** The format that the data selects. Colours are six hexadecimal digits. */
export interface Format {
  fill?: string;
  color?: string;
  bold?: true;
  italic?: true;
  underline?: true;
  strike?: true;
  /** The id of a character style. */
  style?: string;
}

/** A requested format and its place: before this piece of the output. */
export interface RequestedFormat {
  readonly target: FormatTarget;
  readonly format: Format;
  readonly piece: number;
}

/** The requested formats of the part being written, in document order. */
export const requestedFormats = oncePerPart((): RequestedFormat[] => []);

interface Property extends AskingNode {
  readonly name: FormatProperty;
}

/** A node that prints nothing and requests a format, which `applyFormats` applies when the part is written. */
export function formatNode(tag: string, parser: TagParser, runProperties = ''): FeatureNode {
  const reading = readFormatTag(tag.slice(formatPrefix.length));
  if (!isFormatTag(reading)) throw new Error(`the tag {${tag}} was not checked`);
  const { target } = reading;
  const shown = [...reading.properties].filter(([name]) => name !== 'hide');
  const properties = shown.map(([name, text]): Property => ({ name, tag, expression: parser(asOperand(text)) }));
  const render = (scope: Scope, state: RenderState): void => {
    state.budget.lookup(tag);
    const format: Format = {};
    for (const property of properties) readProperty(property, format, scope, state);
    if (Object.keys(format).length === 0 && target !== 'text') return;
    requestedFormats(state).push({ target, format, piece: state.output.pieces.length });
    if (target === 'text') writeXml(betweenRuns('', runProperties), tag, state);
  };
  return {
    kind: 'feature',
    render,
    asks: properties.length === 0 ? undefined : { tag, expression: allOf(properties) },
  };
}

/** The properties as one expression, which serves only to infer the schema. */
function allOf(properties: readonly Property[]): Expression {
  const [first] = properties;
  return {
    evaluate: (scope) => first?.expression.evaluate(scope),
    locate: (scope) => first?.expression.locate(scope) ?? scope.path,
    uses: () =>
      properties.flatMap(({ name, expression }) =>
        expression.uses(formatProperties[name] === 'condition' ? 'truth' : 'text'),
      ),
  };
}

function readProperty(property: Property, format: Format, scope: Scope, state: RenderState): void {
  const value = evaluate(property, scope, state);
  const { name } = property;
  if (name === 'hide') return;
  if (name === 'fill' || name === 'color' || name === 'style') {
    if (value === undefined) noteMissing(property, scope, state);
    if (value === undefined || value === null || value === '' || value === false) return;
    const found =
      typeof value !== 'string' ? undefined : name === 'style' ? styleOf(value, state) : hexColour(cssColour(value));
    if (found !== undefined) format[name] = found;
    else noteProblem(property, problemOf(name), scope, state);
  } else if (isTruthy(value)) format[name] = true;
}

function problemOf(name: 'fill' | 'color' | 'style'): string {
  return name === 'style' ? 'is not the name of a character style of the template' : `is not a colour: ${colourHint}`;
}

function styleOf(name: string, { styles }: RenderState): string | undefined {
  return styles().find('character', name.trim().toLowerCase())?.id;
}
