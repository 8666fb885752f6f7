import { examplePicture } from './picture-data.ts';
import type { Shape } from './shape.ts';
import { typeOf } from './type-of-shape.ts';

const firstNumber = 12;
const listedLevels = 2;

/** Sample data that fits the schema of the same shape and fills every tag; always the same for the same template. */
export function exampleData(root: Shape): Readonly<Record<string, unknown>> {
  return new ExampleWriter().object(root, 0, '');
}

class ExampleWriter {
  #nextNumber = firstNumber;

  object({ properties }: Shape, listDepth: number, suffix: string): Record<string, unknown> {
    const entries = [...properties].map(
      ([name, shape]) => [name, this.#value(name, shape, listDepth, suffix)] as const,
    );
    return Object.fromEntries(entries);
  }

  #value(name: string, shape: Shape, listDepth: number, suffix: string): unknown {
    const [sample] = shape.samples;
    const type = typeOf(shape);
    switch (type) {
      case 'object':
        return this.object(shape, listDepth, suffix);
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
      case 'picture':
        return examplePicture;
      case 'html':
        return `<p><strong>${readable(name)}</strong>${suffix}</p>`;
      case 'address':
        return typeof sample === 'string' && sample !== '' ? sample : 'https://example.com/';
      default:
        return typeof sample === 'string' && sample !== '' ? sample : `${readable(name)}${suffix}`;
    }
  }

  #list(name: string, { items }: Shape, listDepth: number): unknown[] {
    const length = listDepth < listedLevels ? 2 : 1;
    return Array.from({ length }, (_, i) => this.#value(name, items, listDepth + 1, ` ${i + 1}`));
  }
}

/** `first-name` and `firstName` as `First name`. */
function readable(name: string): string {
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[_\-.\s]+/g, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? 'Text' : words.charAt(0).toUpperCase() + words.slice(1);
}
