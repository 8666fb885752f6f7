import type { Json, JsonObject } from '../../../../shared/json.ts';
import { type Shape, typeOf } from './shape.ts';

const firstNumber = 12;
const listedLevels = 2;

/** Deterministic sample data that fits the schema and fills every tag. */
export function exampleData(root: Shape): JsonObject {
  return new ExampleWriter().write(root);
}

interface KeyedObject {
  readonly object: JsonObject;
  readonly shape: Shape;
  readonly listDepth: number;
}

class ExampleWriter {
  #nextNumber = firstNumber;
  /** Example values that serve as keys of other objects. */
  readonly #keys = new Map<Shape, Set<string>>();
  readonly #keyed: KeyedObject[] = [];

  write(root: Shape): JsonObject {
    const data = this.#object(root, 0, '');
    // The list grows while it is processed: added values may contain keyed objects.
    for (const keyed of this.#keyed) this.#addKeys(keyed);
    return data;
  }

  #object(shape: Shape, listDepth: number, suffix: string): JsonObject {
    const entries = [...shape.fields].map(
      ([name, inner]) => [name, this.#value(name, inner, listDepth, suffix)] as const,
    );
    const object = Object.fromEntries(entries);
    if (shape.keyed !== undefined) this.#keyed.push({ object, shape, listDepth });
    return object;
  }

  #addKeys({ object, shape: { keyed, keyedBy }, listDepth }: KeyedObject): void {
    if (keyed === undefined) return;
    for (const by of keyedBy) {
      for (const key of this.#keys.get(by) ?? []) {
        if (Object.hasOwn(object, key)) continue;
        const value = this.#value(key, keyed, listDepth, '');
        Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
      }
    }
  }

  #value(name: string, shape: Shape, listDepth: number, suffix: string): Json {
    const value = this.#anyValue(name, shape, listDepth, suffix);
    if (!shape.isKey || typeof value === 'object') return value;
    const known = this.#keys.get(shape);
    if (known === undefined) this.#keys.set(shape, new Set([String(value)]));
    else known.add(String(value));
    return value;
  }

  #anyValue(name: string, shape: Shape, listDepth: number, suffix: string): Json {
    const [sample] = shape.samples;
    const type = typeOf(shape);
    if (typeof type === 'object') return type.example(readable(name), suffix);
    switch (type) {
      case 'object':
        return this.#object(shape, listDepth, suffix);
      case 'section':
        return this.#section(name, shape, listDepth, suffix);
      case 'array':
        return this.#list(name, shape, listDepth);
      case 'number':
        return typeof sample === 'number' ? sample : this.#nextNumber++;
      case 'boolean':
        return typeof sample === 'boolean' ? sample : true;
      case 'date':
        return '2026-03-31';
      case 'date-time':
        return '2026-03-31T14:30:00Z';
      case 'address':
        return typeof sample === 'string' && sample !== '' ? sample : 'https://example.com/';
      default:
        return typeof sample === 'string' && sample !== '' ? sample : `${readable(name)}${suffix}`;
    }
  }

  #section(name: string, shape: Shape, listDepth: number, suffix: string): Json {
    if (shape.properties.size > 0 || shape.keyed !== undefined) return this.#object(shape, listDepth, suffix);
    return shape.isEntered ? this.#list(name, shape, listDepth) : true;
  }

  #list(name: string, { items }: Shape, listDepth: number): Json[] {
    const length = listDepth < listedLevels ? 2 : 1;
    return Array.from({ length }, (_, i) => this.#value(name, items, listDepth + 1, ` ${i + 1}`));
  }
}

/** Turns `first-name` and `firstName` into `First name`. */
function readable(name: string): string {
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[_\-.\s]+/g, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? 'Text' : words.charAt(0).toUpperCase() + words.slice(1);
}
