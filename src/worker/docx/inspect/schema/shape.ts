import { isLoopHelper } from '../../language/parse-path.ts';
import { anyIndex, anyKey, type DataType, type Use, type UseKind } from '../../language/use.ts';

/** Maximum number, length and depth of names in a schema; the rest is omitted. */
export const schemaLimits = { names: 1000, nameChars: 200, depth: 24 } as const;

/** Counts the names of one schema over all its shapes. */
export class ShapeBudget {
  #names = 0;
  isExceeded = false;

  take(name: string, depth: number): boolean {
    const fits =
      this.#names < schemaLimits.names && name.length <= schemaLimits.nameChars && depth <= schemaLimits.depth;
    if (fits) this.#names++;
    else this.isExceeded = true;
    return fits;
  }
}

const unprinted: ReadonlySet<UseKind> = new Set(['any', 'list', 'section', 'truth']);

/** The facts that the tags reveal about one value of the data. */
export class Shape {
  readonly kinds = new Set<UseKind>();
  readonly properties = new Map<string, Shape>();
  readonly samples: unknown[] = [];
  isList = false;
  /** Whether a section reads names from it, so that it may be an object or a list. `items` has these names. */
  isEntered = false;
  /** Whether its name is a plural. */
  isPlural = false;
  /** Shape of the values under keys that come from the data, and the shapes of those keys. */
  keyed: Shape | undefined;
  readonly keyedBy = new Set<Shape>();
  /** Whether its values are keys of other objects. */
  isKey = false;
  /** Whether a tag outside all sections prints it. */
  isRequired = false;
  /** The position of its first tag in the template. */
  #position = Number.MAX_SAFE_INTEGER;
  #items: Shape | undefined;
  readonly #budget: ShapeBudget;
  readonly #depth: number;

  constructor(budget: ShapeBudget, depth = 0) {
    this.#budget = budget;
    this.#depth = depth;
  }

  get items(): Shape {
    this.#items ??= new Shape(this.#budget, this.#depth + 1);
    return this.#items;
  }

  /**
   * The shape of a group of its items: `key`, the value that `by` reads in an item, and `items`, which are items of
   * this list.
   */
  groupBy(by: readonly Use[]): Shape {
    const [use, ...others] = by;
    const group = new Shape(this.#budget, this.#depth);
    const isKey = use !== undefined && others.length === 0;
    group.properties.set('key', isKey ? this.items.at(use.segments) : new Shape(this.#budget, this.#depth));
    group.properties.set('items', this);
    return group;
  }

  #underAnyKey(): Shape {
    const depth = this.#depth + 1;
    const shape = this.keyed ?? new Shape(this.#budget, Math.min(depth, schemaLimits.depth + 1));
    if (this.keyed === undefined && this.#budget.take('', depth)) this.keyed = shape;
    return shape;
  }

  /** Notes that the value at `segments` is an object whose keys are the values of `by`. */
  noteKeys(segments: readonly string[], by: Shape): void {
    this.at(segments).keyedBy.add(by);
    by.isKey = true;
  }

  property(name: string): Shape {
    const known = this.properties.get(name);
    if (known !== undefined) return known;
    const depth = this.#depth + 1;
    const shape = new Shape(this.#budget, Math.min(depth, schemaLimits.depth + 1));
    if (this.#budget.take(name, depth)) this.properties.set(name, shape);
    return shape;
  }

  /** The names of its object: those with a dot, and those that a section reads from it. */
  get fields(): ReadonlyMap<string, Shape> {
    return this.isEntered ? new Map([...this.items.properties, ...this.properties]) : this.properties;
  }

  /** The same, in the order in which the template names them. */
  get ordered(): readonly (readonly [name: string, shape: Shape])[] {
    return [...this.fields].sort(([, a], [, b]) => a.#position - b.#position);
  }

  /** Whether a tag prints it or calculates with it, so that it is neither an object nor a list of objects. */
  get isPrinted(): boolean {
    return [...this.kinds].some((kind) => !unprinted.has(kind));
  }

  /** The shape at a path. `.` is this shape; whole numbers are items. */
  at(segments: readonly string[]): Shape {
    let shape: Shape = this;
    for (const segment of segments) {
      if (segment === '.') continue;
      if (isIndex(segment)) {
        shape.isList = true;
        shape = shape.items;
      } else shape = segment === anyKey ? shape.#underAnyKey() : shape.property(segment);
    }
    return shape;
  }

  /** Notes what the tag at `position` does with a value below this one. */
  note(use: Use, isRequired: boolean, position: number): void {
    if (isLoopHelper(use.segments[0] ?? '')) return;
    this.#placePath(use.segments, position);
    const shape = this.at(use.segments);
    shape.kinds.add(use.kind);
    if (use.isList === true) shape.isList = true;
    if (use.sample !== undefined) shape.samples.push(use.sample);
    for (const item of use.items ?? []) shape.items.note(item, false, position);
    if (isRequired && use.isOptional !== true && use.kind !== 'truth') {
      let step: Shape = this;
      for (const segment of use.segments) {
        if (isIndex(segment) || segment === anyKey) break;
        step = step.at([segment]);
        step.isRequired = true;
      }
    }
  }

  #placePath(segments: readonly string[], position: number): void {
    let step: Shape = this;
    for (const segment of segments) {
      step = step.at([segment]);
      step.#position = Math.min(step.#position, position);
    }
  }
}

function isIndex(segment: string): boolean {
  return segment === anyIndex || /^\d+$/.test(segment);
}

type ShapeType =
  | 'object'
  | 'array'
  | 'number'
  | 'date'
  | 'date-time'
  | 'boolean'
  | 'section'
  | 'string'
  | 'address'
  | 'any'
  | DataType;

/** The type that best suits all uses of a value. */
export function typeOf(shape: Shape): ShapeType {
  const { kinds, samples, properties, isList, isEntered } = shape;
  if (isList) return 'array';
  const added = [...kinds].filter((kind) => typeof kind === 'object');
  const whole = added.find(({ mayBeObject }) => mayBeObject);
  if (whole !== undefined) return whole;
  const isTested = kinds.has('section') || kinds.has('truth');
  if (properties.size > 0 || shape.keyed !== undefined) return isTested && !shape.isRequired ? 'section' : 'object';
  if (isEntered) return 'section';
  if (kinds.has('number')) return 'number';
  if (kinds.has('date-time')) return 'date-time';
  if (kinds.has('date')) return 'date';
  if (added[0] !== undefined) return added[0];
  if (kinds.has('address')) return 'address';
  if (kinds.has('text') || kinds.has('print')) return 'string';
  const [sample] = samples;
  if (typeof sample === 'number') return 'number';
  if (typeof sample === 'boolean') return 'boolean';
  if (kinds.has('section')) return 'section';
  if (kinds.has('truth')) return 'boolean';
  return kinds.has('any') ? 'string' : 'any';
}
