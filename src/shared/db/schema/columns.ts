import { type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, customType, timestamp } from 'drizzle-orm/pg-core';

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** A point in time with millisecond precision. */
export const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/**
 * A status wrapped in an expression, for the indexes of lists. The planner then never uses them for statements that
 * find rows by id and status: a generic plan made while the table is small would later read the whole index.
 */
export const indexedStatus = (status: AnyPgColumn | SQL): SQL => sql`(${status} || '')`;
