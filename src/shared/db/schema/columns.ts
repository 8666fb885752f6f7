import { type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, customType, timestamp } from 'drizzle-orm/pg-core';

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** A moment, to the millisecond. */
export const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/**
 * A status as the indexes of lists hold it. As the plain column, it would draw statements to them that find rows by ids and
 * statuses: a plan that was made while there was little would read the whole index later.
 */
export const listed = (status: AnyPgColumn | SQL): SQL => sql`(${status} || '')`;
