import type { DataSchema, DataType } from '../../shared/data-schema.ts';
import type { Json, JsonObject } from '../../shared/json.ts';

/** JSON data for a template, and a description of what it varies. */
export interface DataCase {
  readonly name: string;
  readonly data: Json;
}

/** How to vary each kind of value. */
interface Variation {
  readonly name: string;
  text?(old: string, random: () => number): string;
  number?(old: number, random: () => number): number;
  flag?(old: boolean, random: () => number): boolean;
  /** The number of items for a list that is not empty. */
  rows?(depth: number, random: () => number): number;
  /** Whether an optional value is left out. */
  isAbsent?(random: () => number): boolean;
}

const words =
  'invoice for goods and services of the month, delivered to Ångström & Søn Ltd. (head office) by 31 March: a naïve co-operation, Straße 5a — “as agreed” – payable in 30 days'.split(
    ' ',
  );
const longWord = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen';
const pageRows = 70;
const mixes = 4;
const maxItems = 400;

const sentence = (count: number, random: () => number = () => 0): string => {
  const start = Math.floor(random() * words.length);
  return Array.from({ length: count }, (_, index) => words[(start + index) % words.length]).join(' ');
};

const variations: readonly Variation[] = [
  { name: 'empty texts', text: () => '' },
  { name: 'no rows', rows: () => 0 },
  { name: 'one row', rows: () => 1 },
  { name: 'many rows', rows: (depth) => (depth === 0 ? pageRows : 3) },
  { name: 'many rows of several lines', rows: (depth) => (depth === 0 ? pageRows / 2 : 2), text: () => sentence(14) },
  { name: 'long texts', text: () => sentence(120) },
  { name: 'long words', text: (old) => `${old} ${longWord}` },
  { name: 'large numbers', number: (old) => old * 1_000_003 + 0.005 },
  { name: 'false values', flag: () => false, number: () => 0 },
  { name: 'optional values left out', isAbsent: () => true },
  ...Array.from(
    { length: mixes },
    (_, index): Variation => ({
      name: `a mixture ${index + 1}`,
      text: (old, random) => (random() < 0.2 ? old : sentence(Math.floor(random() ** 3 * 40), random)),
      number: (old, random) => (random() < 0.3 ? old : Math.round(random() ** 4 * 10_000_000) / 100),
      flag: (_, random) => random() < 0.5,
      rows: (depth, random) => Math.floor(random() ** 2 * (depth === 0 ? 40 : 5)),
      isAbsent: (random) => random() < 0.3,
    }),
  ),
];

/**
 * Data of many shapes for a template: its example data, and variations of it that fit the schema. Dates, addresses and
 * pictures are not varied. The same schema and example always give the same cases, without duplicates.
 */
export function varyData(schema: DataSchema, example: JsonObject): DataCase[] {
  const cases = new Map<string, DataCase>([[JSON.stringify(example), { name: 'the example data', data: example }]]);
  for (const variation of variations) {
    const data = new Variator(variation).vary(schema, example, 0);
    const text = JSON.stringify(data);
    if (!cases.has(text)) cases.set(text, { name: variation.name, data });
  }
  return [...cases.values()];
}

class Variator {
  readonly #variation: Variation;
  readonly #random: () => number;
  #items = 0;

  constructor(variation: Variation) {
    this.#variation = variation;
    this.#random = randomOf(variation.name);
  }

  vary(schema: DataSchema, value: Json, depth: number): Json {
    const { text, number, flag } = this.#variation;
    if (isList(value)) return this.#varyList(schema, value, depth);
    if (typeof value === 'object' && value !== null) return this.#varyObject(schema, value, depth);
    if (typeof value === 'string') return isPlain(schema, 'string') ? (text?.(value, this.#random) ?? value) : value;
    if (typeof value === 'number') return this.#varyNumber(schema, value, number);
    if (typeof value === 'boolean') return flag?.(value, this.#random) ?? value;
    return value;
  }

  #varyNumber(schema: DataSchema, value: number, change: Variation['number']): number {
    if (isPlain(schema, 'number')) return change?.(value, this.#random) ?? value;
    return isPlain(schema, 'integer') ? Math.round(change?.(value, this.#random) ?? value) : value;
  }

  #varyList(schema: DataSchema, list: readonly Json[], depth: number): Json {
    const [first] = list;
    if (first === undefined) return list;
    const wanted = this.#variation.rows?.(depth, this.#random) ?? list.length;
    const { items = {} } = schema;
    const varied: Json[] = [];
    for (let index = 0; index < wanted && this.#items < maxItems; index++) {
      this.#items++;
      varied.push(this.vary(items, list[index % list.length] ?? first, depth + 1));
    }
    return varied;
  }

  #varyObject(schema: DataSchema, object: JsonObject, depth: number): Json {
    const { properties = {}, additionalProperties = {} } = schema;
    const required = new Set(schema.required);
    const entries = Object.entries(object).flatMap(([name, value]): [string, Json][] => {
      const isAbsent = !required.has(name) && this.#variation.isAbsent?.(this.#random) === true;
      const own = (Object.hasOwn(properties, name) ? properties[name] : undefined) ?? additionalProperties;
      return isAbsent ? [] : [[name, this.vary(own, value, depth)]];
    });
    return Object.fromEntries(entries);
  }
}

/**
 * Whether a schema accepts every value of a type, because no format or other keyword restricts it. A description does
 * not.
 */
function isPlain(schema: DataSchema, type: DataType): boolean {
  const { format, enum: values, anyOf, contentEncoding, contentMediaType } = schema;
  const restrictions = [format, values, anyOf, contentEncoding, contentMediaType];
  return [schema.type ?? []].flat().includes(type) && restrictions.every((keyword) => keyword === undefined);
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** A generator of pseudo-random numbers from 0 to 1, seeded with `seed` (mulberry32). */
function randomOf(seed: string): () => number {
  let state = 0;
  for (const character of seed) state = (Math.imul(state, 31) + (character.codePointAt(0) ?? 0)) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
