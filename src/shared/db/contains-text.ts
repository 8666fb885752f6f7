import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** Whether a value of the database contains a text, in any case. Every character of the text stands for itself, also `%` and `_`. */
export const containsText = (value: SQLWrapper, text: string): SQL =>
  sql`position(lower(${text}) in lower(${value})) > 0`;
