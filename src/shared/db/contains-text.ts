import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** Whether a column contains a string, ignoring case. Every character is literal, including `%` and `_`. */
export const containsText = (value: SQLWrapper, text: string): SQL =>
  sql`position(lower(${text}) in lower(${value})) > 0`;
