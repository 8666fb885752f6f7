import { type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, customType, timestamp } from 'drizzle-orm/pg-core';

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** A point in time with millisecond precision. */
export const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/**
 * A status as the indexes of lists hold it: an expression, so that the planner never picks them for statements that find
 * rows by id and status. Such a generic plan, made while the table is small, would read the whole index later.
 */
export const listed = (status: AnyPgColumn | SQL): SQL => sql`(${status} || '')`;
