import { addressPieces } from '../../language/address-tags.ts';
import { ExpressionError } from '../../language/expressions/expression-error.ts';
import { checkExpression, parseTagText } from '../../language/expressions/parse-tag-text.ts';
import type { TagProblem } from '../../language/scan-tags.ts';
import type { Expression } from '../../language/scope.ts';
import type { DocxPackage } from '../../package/open-package.ts';
import { readRelationships, relationshipsPartOf } from '../../package/relationships.ts';
import { parseAddress } from './address-template.ts';

/** An address with tags, ready to be filled. */
export interface FillableAddress {
  readonly expression: Expression;
  /** What stands between the braces of its first tag. */
  readonly tag: string;
}

export interface AddressFault {
  readonly text: string;
  readonly problem: TagProblem;
}

export interface PartAddresses {
  /** Of links that name a relationship, by its id. */
  readonly byId: ReadonlyMap<string, FillableAddress>;
  readonly faults: readonly AddressFault[];
}

/** The addresses with tags among the links of one part, and every mistake in them. */
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

/** An address with tags; undefined for one without. */
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
