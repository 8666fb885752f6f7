import type { Random } from './random.ts';

/** A schema in the OpenAPI document. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly example?: unknown;
}

export interface ValueMaker {
  /** A value that matches the schema's types and limits, often at a limit. */
  valid(schema: Schema): unknown;
  /**
   * A value that differs from the given one in one place: another type, null, missing, extra, too long, or unusual
   * characters.
   */
  mutated(value: unknown): unknown;
}

const texts = [
  'a',
  'Ada Lovelace',
  '😀',
  'äöü ß 漢字 עברית',
  '=1+1',
  '{name}',
  '{#items}',
  '../../etc/passwd',
  'ada@example.com',
  'invoice.docx',
  'logo.png',
  'https://example.com/hooks/docmill',
  'de-DE',
  'Europe/Berlin',
  '1-3,5',
  '2026-11-20',
] as const;
const oddTexts = [
  '',
  ' ',
  '\0',
  '\ud800',
  'a\nb',
  '\u202eabc',
  'x'.repeat(10_001),
  'null',
  '-1',
  '1e9',
  '😀'.repeat(600),
  "'; drop table accounts; --",
  'constructor',
] as const;
const oddValues = [null, true, 0, -1, 1.5, 1e308, [], {}, [null], { a: { b: {} } }, '__proto__'] as const;

export function createValueMaker(random: Random, components: Readonly<Record<string, Schema>>): ValueMaker {
  const resolve = (schema: Schema): Schema => {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : (components[name] ?? {});
  };

  const text = ({ minLength = 0, maxLength = 200, pattern, example, format }: Schema): string => {
    if (format === 'date') return random.pick(['2026-11-20', '2000-01-01', '2999-12-31']);
    const base = typeof example === 'string' ? example : 'text';
    const limit = Math.min(maxLength, 20_000);
    const candidates = [base, 'a'.repeat(minLength), 'a'.repeat(Math.max(0, limit - base.length)) + base, ...texts];
    const matcher = pattern === undefined ? undefined : new RegExp(pattern, 'u');
    const fitting = candidates.filter((value) => {
      const length = [...value].length;
      return length >= minLength && length <= maxLength && (matcher?.test(value) ?? true);
    });
    return random.pick([base, ...fitting]);
  };

  const list = ({ items = {}, minItems = 0, maxItems = 5, example }: Schema): unknown[] => {
    if (Array.isArray(example) && random.chance(0.3)) return example;
    const count = random.pick([minItems, Math.min(maxItems, minItems + 1), Math.min(maxItems, 60)]);
    const values = Array.from({ length: count }, () => valid(items));
    return resolve(items).enum === undefined ? values : [...new Set(values)];
  };

  const object = ({ properties = {}, required = [], example }: Schema): unknown => {
    if (Object.keys(properties).length === 0) return example ?? { name: text({}), items: [{ name: text({}) }] };
    const names = Object.keys(properties).filter((name) => required.includes(name) || random.chance(0.35));
    return Object.fromEntries(names.map((name) => [name, valid(properties[name] ?? {})]));
  };

  const byType: Readonly<Record<string, (schema: Schema) => unknown>> = {
    null: () => null,
    boolean: () => random.chance(0.5),
    integer: ({ minimum = 0, maximum = 1_000 }) => random.pick([minimum, minimum + 1, maximum]),
    number: ({ minimum = 0, maximum = 1_000 }) => random.pick([minimum, maximum, 1.5]),
    string: text,
    array: list,
    object,
  };

  const valid = (given: Schema): unknown => {
    const schema = resolve(given);
    if (schema.const !== undefined) return schema.const;
    const [firstValue, ...values] = schema.enum ?? [];
    if (schema.enum !== undefined) return random.pick([firstValue, ...values]);
    const [firstChoice, ...choices] = schema.anyOf ?? [];
    if (firstChoice !== undefined) return valid(random.pick([firstChoice, firstChoice, ...choices]));
    if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map((part) => valid(part)));
    const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['object']);
    const type = types.includes('null') && random.chance(0.1) ? 'null' : (types[0] ?? 'object');
    return byType[type]?.(schema) ?? null;
  };

  const mutateMember = (value: Record<string, unknown>): unknown => {
    const names = Object.keys(value);
    const name = names[random.below(names.length)];
    if (name === undefined || random.chance(0.15)) return { ...value, [random.pick(['extra', '__proto_', 'a.b'])]: 1 };
    if (random.chance(0.2)) return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
    return { ...value, [name]: mutated(value[name]) };
  };

  const mutated = (value: unknown): unknown => {
    if (random.chance(0.15)) return random.pick(oddValues);
    if (Array.isArray(value)) {
      const index = random.below(value.length + 1);
      if (index === value.length) return random.chance(0.5) ? [...value, random.pick(oddValues)] : [];
      return value.map((entry: unknown, at) => (at === index ? mutated(entry) : entry));
    }
    if (typeof value === 'object' && value !== null) return mutateMember({ ...value });
    if (typeof value === 'string') return random.chance(0.7) ? random.pick(oddTexts) : random.pick(oddValues);
    return random.pick([...oddValues, ...oddTexts]);
  };

  return { valid, mutated };
}
