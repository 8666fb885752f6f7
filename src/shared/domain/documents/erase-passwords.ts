import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

type Options<T> = Readonly<Record<'pdfOptions' | 'renderOptions', T>>;

/** The options of a document without its password. */
export const withoutPasswords = ({ pdfOptions, renderOptions }: Options<PgColumn>): Options<SQL> => ({
  pdfOptions: sql`${pdfOptions} - 'password'`,
  renderOptions: sql`${renderOptions} #- '{docx,protection,password}'`,
});
