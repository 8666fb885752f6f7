import type { Formatter } from './formatter.ts';
import { aggregateFormatters } from './formatters/aggregates.ts';
import { choiceFormatters } from './formatters/choices.ts';
import { dateFormatters } from './formatters/dates.ts';
import { fieldFormatters } from './formatters/fields.ts';
import { linkFormatters } from './formatters/links.ts';
import { listFormatters } from './formatters/lists.ts';
import { numberFormatters } from './formatters/numbers.ts';
import { runningFormatters } from './formatters/running-sum.ts';
import { textFormatters } from './formatters/texts.ts';

/** All formatters by name. A map, because an object would inherit names. */
export const formatters: ReadonlyMap<string, Formatter> = new Map(
  [
    numberFormatters,
    dateFormatters,
    textFormatters,
    listFormatters,
    aggregateFormatters,
    runningFormatters,
    choiceFormatters,
    linkFormatters,
    fieldFormatters,
  ].flatMap((group) => Object.entries(group)),
);
