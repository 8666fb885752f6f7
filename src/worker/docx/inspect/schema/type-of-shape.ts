import type { DataType } from '../../language/use.ts';
import type { Shape } from './shape.ts';

export type ShapeType =
  | 'object'
  | 'array'
  | 'number'
  | 'date'
  | 'date-time'
  | 'boolean'
  | 'string'
  | 'address'
  | 'any'
  | DataType;

/** The one type that suits all uses of a value best. */
export function typeOf(shape: Shape): ShapeType {
  const { kinds, samples, properties, isList } = shape;
  if (isList) return 'array';
  const added = [...kinds].filter((kind) => typeof kind === 'object');
  const whole = added.find(({ mayBeObject }) => mayBeObject);
  if (whole !== undefined) return whole;
  if (properties.size > 0 || shape.keyed !== undefined) return 'object';
  if (kinds.has('number')) return 'number';
  if (kinds.has('date-time')) return 'date-time';
  if (kinds.has('date')) return 'date';
  if (added[0] !== undefined) return added[0];
  if (kinds.has('address')) return 'address';
  if (kinds.has('text') || kinds.has('print')) return 'string';
  const [sample] = samples;
  if (typeof sample === 'boolean' || typeof sample === 'number')
    return typeof sample === 'number' ? 'number' : 'boolean';
  if (kinds.has('any')) return 'string';
  return kinds.has('truth') || kinds.has('section') ? 'boolean' : 'any';
}
