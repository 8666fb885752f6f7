import { hexColour } from '../../core/styles/colour.ts';
import { nearestName } from '../../language/edit-distance.ts';
import { isPlainOperand } from '../../language/expressions/names.ts';
import { normalizeExpression } from '../../language/expressions/normalize-expression.ts';
import { checkExpression, type ExpressionProblem } from '../../language/expressions/parse-tag-text.ts';
import { expressionLimits } from '../../limits.ts';

export const formatPrefix = '@';

/** The target of a formatting tag: the text that follows it in its paragraph, its cell, or its row. */
const formatTargets = ['text', 'cell', 'row'] as const;
export type FormatTarget = (typeof formatTargets)[number];

/** How a property uses its value: as a condition, a colour, or the name of a character style. */
export const formatProperties = {
  fill: 'colour',
  color: 'colour',
  bold: 'condition',
  italic: 'condition',
  underline: 'condition',
  strike: 'condition',
  style: 'style',
  hide: 'condition',
} as const;
export type FormatProperty = keyof typeof formatProperties;

/** A parsed tag such as `{@cell fill:status == "late" ? "FFC7CE" : null | bold:amount > 100}`. Its expressions are still text. */
export interface FormatTag {
  readonly target: FormatTarget;
  readonly properties: ReadonlyMap<FormatProperty, string>;
}

type FormatTagReading = FormatTag | ExpressionProblem;

const form = /^([\p{L}\d]+)\s+(\S.*)$/su;
const property = /^([\p{L}]+)\s*:\s*(\S.*)$/su;
const example = '{@cell fill:paid ? null : "FFC7CE"}';

/** Parses the text after the `@` of a tag. */
export function readFormatTag(source: string): FormatTagReading {
  if (source.length > expressionLimits.chars)
    return { message: `it is longer than ${expressionLimits.chars} characters` };
  const text = normalizeExpression(source).trim();
  const [, word = text, rest = ''] = form.exec(text) ?? [];
  const target = formatTargets.find((known) => known === word);
  if (target === undefined) return unknownTarget(word, rest);
  if (rest === '') return { message: 'it formats nothing', hint: `write {@${word} bold:condition}` };
  const properties = new Map<FormatProperty, string>();
  for (const piece of splitProperties(rest)) {
    const [, name = '', expression = ''] = property.exec(piece.trim()) ?? [];
    const known = Object.keys(formatProperties).find((one): one is FormatProperty => one === name);
    if (known === undefined) return unknownProperty(name, piece.trim());
    if (properties.has(known)) return { message: `it has "${name}" twice` };
    if (known === 'hide' && target !== 'row')
      return { message: `"hide" is for rows`, hint: 'write {@row hide:…}, or a section around the text' };
    properties.set(known, expression);
  }
  return { target, properties };
}

export function isFormatTag(reading: FormatTagReading): reading is FormatTag {
  return 'target' in reading;
}

/** The text of a property as a tag, in which `true` is a value and not a name. */
export function asOperand(expression: string): string {
  return isPlainOperand(expression) ? expression : `(${expression})`;
}

/** The problem of the text after the `@` of a tag, if any. */
export function checkFormatTag(source: string): ExpressionProblem | undefined {
  const reading = readFormatTag(source);
  if (!isFormatTag(reading)) return reading;
  for (const [name, expression] of reading.properties) {
    const problem = checkExpression(expression) ?? checkExpression(asOperand(expression));
    if (problem !== undefined) return problem;
    const literal = /^(?:"([^"\\]*)"|'([^'\\]*)')$/.exec(expression);
    const text = literal?.[1] ?? literal?.[2];
    if (formatProperties[name] === 'colour' && text !== undefined && hexColour(cssColour(text)) === undefined)
      return { message: `"${text}" is not a colour`, hint: colourHint };
  }
  return undefined;
}

export const colourHint = 'write "FFC7CE" or a name such as "red"';

/** Adds the `#` that CSS requires to a colour as Word writes it: `FFC7CE`. */
export function cssColour(text: string): string {
  return /^[\da-f]{6}$/i.test(text.trim()) ? `#${text.trim()}` : text;
}

function unknownTarget(word: string, rest: string): ExpressionProblem {
  const nearest = rest === '' ? undefined : nearestName(word, formatTargets);
  if (nearest !== undefined) return { message: `there is no "@${word}"`, hint: `write @${nearest}` };
  return {
    message: 'raw XML tags are not allowed: print the value with a plain tag',
    hint: `write {${word}}, or send HTML and write {~${word}}; to format, write {@text …}, {@cell …} or {@row …}`,
  };
}

function unknownProperty(name: string, piece: string): ExpressionProblem {
  if (name === '')
    return {
      message: `"${piece.slice(0, 40)}" is not a property with a value`,
      hint: `write ${example}; put a value with a formatter into brackets`,
    };
  const nearest = nearestName(name, Object.keys(formatProperties));
  const known = Object.keys(formatProperties).join(', ');
  return {
    message: `there is no property "${name}"`,
    hint: nearest === undefined ? `write one of ${known}` : `write ${nearest}`,
  };
}

/** Splits at the bars between properties, ignoring those inside quotes and brackets. */
function splitProperties(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  let depth = 0;
  for (const { 0: sign, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\|\|?|[()[\]]/gs)) {
    if (sign === '(' || sign === '[') depth++;
    else if (sign === ')' || sign === ']') depth--;
    else if (sign === '|' && depth === 0) {
      pieces.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...pieces, text.slice(start)];
}
