import { readRelationships, relationshipsPartOf } from '@docmill/word/relationships';
import { type AddressPieces, addressPieces } from '../../language/address-tags.ts';
import { ExpressionError } from '../../language/expressions/expression-error.ts';
import { checkExpression, parseTagText } from '../../language/expressions/parse-tag-text.ts';
import { ValueProblem } from '../../language/expressions/value-problem.ts';
import { printValue } from '../../language/print-value.ts';
import type { TagProblem } from '../../language/scan-tags.ts';
import type { Expression, Scope, TagParser } from '../../language/scope.ts';
import { readWebAddress } from '../../language/web-address.ts';
import type { DocxPackage } from '../../package/open-package.ts';

/** A parsed address with tags. */
export interface FillableAddress {
  readonly expression: Expression;
  /** The text between the braces of its first tag. */
  readonly tag: string;
}

interface AddressFault {
  readonly text: string;
  readonly problem: TagProblem;
}

interface PartAddresses {
  /** Addresses by relationship id. */
  readonly byId: ReadonlyMap<string, FillableAddress>;
  readonly faults: readonly AddressFault[];
}

/** Finds the link addresses with tags in one part, and the mistakes in them. */
export function scanAddresses(source: DocxPackage, partName: string, xml: string): PartAddresses {
  const byId = new Map<string, FillableAddress>();
  const faults: AddressFault[] = [];
  const rels = source.readText(relationshipsPartOf(partName)) ?? '';
  if (/\{|%7B/i.test(rels)) {
    for (const { id, kind, isExternal, target } of readRelationships(rels)) {
      if (kind !== 'hyperlink' || !isExternal || !xml.includes(`"${id}"`)) continue;
      const read = readAddress(target);
      if (read === undefined) continue;
      if ('problem' in read) faults.push(read);
      else byId.set(id, read);
    }
  }
  return { byId, faults };
}

/** Parses an address; undefined if it has no tags. */
export function readAddress(address: string): FillableAddress | AddressFault | undefined {
  const pieces = addressPieces(address);
  if (pieces === undefined) return undefined;
  const text = pieces.texts.map((kept, i) => kept + (i < pieces.tags.length ? `{${pieces.tags[i]}}` : '')).join('');
  const [tag = ''] = pieces.tags;
  try {
    return { expression: parseAddress(pieces, parseTagText), tag };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const wrong = pieces.tags.find((other) => checkExpression(other) !== undefined) ?? tag;
    const written = `{${wrong}}`;
    const message = `the tag ${written} in the address of a link is not valid: ${error.message}`;
    return { text, problem: { message, tag: written, offset: Math.max(0, text.indexOf(written)), hint: error.hint } };
  }
}

/**
 * An expression that evaluates to the whole address, or undefined when one of its values is missing or empty. Throws
 * ExpressionError for an invalid tag; evaluation throws ValueProblem for an address that is not allowed.
 */
function parseAddress({ texts, tags }: AddressPieces, parser: TagParser): Expression {
  const sectionTag = tags.find((tag) => /^[#^/~%@=]/.test(tag));
  if (sectionTag !== undefined) throw new ExpressionError('the address of a link takes values only');
  const values = tags.map((tag) => parser(tag));
  const [first] = values;
  if (first === undefined) throw new ExpressionError('the address has no tag');
  return {
    evaluate: (scope) => {
      const printed: string[] = [];
      for (const value of values) {
        const text = textOf(value, scope);
        if (text === '') return undefined;
        printed.push(text);
      }
      const address = joinAddress(texts, printed);
      const read = readWebAddress(address);
      if ('problem' in read) throw new ValueProblem(first.locate(scope), read.problem);
      return read.url;
    },
    locate: (scope) => first.locate(scope),
    missing: (scope) =>
      values
        .filter((value) => value.evaluate(scope) === undefined)
        .flatMap((value) => value.missing?.(scope) ?? [value.locate(scope)]),
    uses: (kind) =>
      values.flatMap((value, i) => value.uses(i === 0 && isWhole(texts) && kind === 'print' ? 'address' : kind)),
  };
}

function textOf(value: Expression, scope: Scope): string {
  const printed = printValue(value.evaluate(scope));
  if ('problem' in printed) throw new ValueProblem(value.locate(scope), printed.problem);
  return printed.text.trim();
}

const opening = /^(?:https?:\/\/|mailto:)?$/i;

/** Whether the tag is the whole address, apart from what Word adds around it. */
function isWhole([before = '', after = '', ...more]: readonly string[]): boolean {
  return more.length === 0 && /^(?:https?:\/\/)?$/i.test(before) && /^\/?$/.test(after);
}

/** Joins literal text and values. A value at the start is used unchanged; later values are percent-encoded. */
function joinAddress(texts: readonly string[], values: readonly string[]): string {
  const [before = ''] = texts;
  const [start = ''] = values;
  const hasScheme = /^(?:https?:\/\/|mailto:)/i.test(start);
  if (hasScheme && isWhole(texts)) return start;
  let address = hasScheme && opening.test(before) ? '' : before;
  for (const [i, value] of values.entries()) {
    const isStart = i === 0 && /^(?:https?:\/\/)?$/i.test(before);
    address += isStart ? value : encodedFor(address, value);
    address += texts[i + 1] ?? '';
  }
  return address;
}

function encodedFor(address: string, value: string): string {
  const encoded = encodeURIComponent(value.toWellFormed());
  if (/^mailto:[^?]*$/i.test(address)) return encoded.replaceAll('%40', '@').replaceAll('%2C', ',');
  return address.includes('?') || address.includes('#') ? encoded : encoded.replaceAll('%2F', '/');
}
