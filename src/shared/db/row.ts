import { type SQL, sql } from 'drizzle-orm';
import { PgColumn } from 'drizzle-orm/pg-core';

/** The type of an output column: its pg_type.oid, and how its values are decoded. */
export interface OutputType<T> {
  readonly oid: number;
  readonly isNullable: boolean;
  readonly decode?: (value: unknown) => unknown;
  /** Used only by the type checker. */
  readonly value?: T;
}

type Output = PgColumn | OutputType<unknown>;
type ValueOf<O> = O extends PgColumn
  ? O['_']['notNull'] extends true
    ? O['_']['data']
    : O['_']['data'] | null
  : O extends OutputType<infer T>
    ? T
    : never;

/** The output columns of a hand-written statement, with their types. */
export interface RowShape<T> {
  readonly outputs: Readonly<Record<string, OutputType<unknown>>>;
  /** Decodes the driver's values in place. */
  readonly decode: (row: Record<string, unknown>) => T;
}

export type RowOf<Shape> = Shape extends RowShape<infer T> ? T : never;

/**
 * Describes the rows of a hand-written statement by table columns and output types. The TypeScript type follows from
 * it, and the integration tests compare it with the names and types that PostgreSQL returns.
 */
export function rowOf<O extends Readonly<Record<string, Output>>>(
  columns: O,
): RowShape<{ readonly [K in keyof O]: ValueOf<O[K]> }> {
  const outputs = Object.fromEntries(Object.entries(columns).map(([name, output]) => [name, toOutputType(output)]));
  const decoders = Object.entries(outputs).flatMap(([name, { decode }]) => (decode ? [[name, decode] as const] : []));
  return {
    outputs,
    decode(row) {
      for (const [name, decode] of decoders) if (row[name] !== null) row[name] = decode(row[name]);
      return row as { readonly [K in keyof O]: ValueOf<O[K]> };
    },
  };
}

/** A type with its SQL name. */
interface NamedType<T> extends OutputType<T> {
  readonly name: string;
}

const namedType = <T>(name: string, oid: number): NamedType<T> => ({ name, oid, isNullable: false });

export const text = namedType<string>('text', 25);
export const int4 = namedType<number>('int', 23);
export const float8 = namedType<number>('float8', 701);
export const bool = namedType<boolean>('boolean', 16);
/** PostgreSQL's text format, with full precision. */
export const timestamptz = namedType<string>('timestamptz', 1184);
export const textArray = namedType<readonly string[]>('text[]', 1009);
export const json = <T>(): NamedType<T> => namedType<T>('json', 114);

/** An expression for the query builder, cast in SQL so that PostgreSQL returns the declared type. */
export const cast = <T>(type: NamedType<T>, expression: SQL): SQL<T> => sql`(${expression})::${sql.raw(type.name)}`;

/** The same type, for output columns that may be null. */
export function nullable<O extends Output>(output: O): OutputType<ValueOf<O> | null> {
  return { ...toOutputType(output), isNullable: true } as OutputType<ValueOf<O> | null>;
}

/** Type numbers of PostgreSQL (pg_type.oid) by the type names of the schema. */
const oids: Readonly<Record<string, number>> = {
  boolean: 16,
  bytea: 17,
  bigint: 20,
  bigserial: 20,
  integer: 23,
  text: 25,
  json: 114,
  date: 1082,
  'timestamp (3) with time zone': 1184,
  jsonb: 3802,
};

/** The driver parses these types; the columns decode all others. */
const parsedByDriver = new Set([16, 17, 23, 25, 114, 1082, 3802]);

function toOutputType(output: Output): OutputType<unknown> {
  if (!(output instanceof PgColumn)) return output;
  const oid = oids[output.getSQLType()];
  if (oid === undefined) throw new Error(`no type number for ${output.getSQLType()}`);
  const isNullable = !output.notNull;
  if (parsedByDriver.has(oid)) return { oid, isNullable };
  return { oid, isNullable, decode: (value) => output.mapFromDriverValue(value) };
}
