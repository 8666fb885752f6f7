import { decodeEntities } from '@docmill/word/xml-tokens';
import { asText } from '../../language/expressions/as-text.ts';
import { ValueProblem } from '../../language/expressions/value-problem.ts';
import type { Expression } from '../../language/scope.ts';

/** The items of a drop-down list or a combo box: the displayed texts by value. */
export interface ListItems {
  readonly texts: ReadonlyMap<string, string>;
  /** Whether users may write other text, as in a combo box. */
  readonly isOpen: boolean;
}

/** Reads `w:sdtPr`; undefined for other controls. */
export function readListItems(properties: string): ListItems | undefined {
  const list = /<w:(dropDownList|comboBox)(?:\s[^>]*)?>([\s\S]*?)<\/w:\1>/.exec(properties);
  if (list === null) return undefined;
  const texts = new Map<string, string>();
  for (const [item] of (list[2] ?? '').matchAll(/<w:listItem\b[^>]*>/g)) {
    const attribute = (name: string) => {
      const written = new RegExp(`\\bw:${name}="([^"]*)"`).exec(item)?.[1];
      return written === undefined ? undefined : decodeEntities(written);
    };
    const value = attribute('value') ?? attribute('displayText') ?? '';
    if (!texts.has(value)) texts.set(value, attribute('displayText') ?? value);
  }
  return { texts, isOpen: list[1] === 'comboBox' };
}

const mostNamed = 10;

/** The text of the item whose value or text the data name. An unknown value of a drop-down list is a mistake of the data. */
export function displayed(expression: Expression, { texts, isOpen }: ListItems): Expression {
  const shown = new Set(texts.values());
  return {
    ...expression,
    evaluate: (scope) => {
      const value = expression.evaluate(scope);
      const text = asText(value);
      if (text === undefined || text === '') return value;
      const item = texts.get(text) ?? (shown.has(text) ? text : undefined);
      if (item !== undefined || isOpen) return item ?? value;
      const known = [...texts.keys()].filter((key) => key !== '').slice(0, mostNamed);
      const more = texts.size > known.length ? ' …' : '';
      throw new ValueProblem(
        expression.locate(scope),
        `is not an item of its drop-down list: ${known.join(', ')}${more}`,
      );
    },
  };
}
