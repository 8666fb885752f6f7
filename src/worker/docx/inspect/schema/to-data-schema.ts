import type { DataSchema } from '../../../../shared/data-schema.ts';
import { type Shape, schemaLimits, typeOf } from './shape.ts';

export function toDataSchema(root: Shape, isCut: boolean): DataSchema {
  const comment = `The template has more names than the ${schemaLimits.names} a schema lists.`;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...(isCut ? { $comment: comment } : {}),
    ...objectSchema(root),
  };
}

function objectSchema(shape: Shape, sections = 0): DataSchema {
  const { fields, ordered, keyed } = shape;
  const required = [...fields].filter(([, shape]) => shape.isRequired).map(([name]) => name);
  const schemas = Object.fromEntries(ordered.map(([name, field]) => [name, valueSchema(field, sections)]));
  return {
    type: 'object',
    ...(fields.size > 0 || keyed === undefined ? { properties: schemas } : {}),
    ...(keyed === undefined || typeOf(keyed) === 'any' ? {} : { additionalProperties: valueSchema(keyed, sections) }),
    ...(required.length > 0 ? { required } : {}),
  };
}

/**
 * The schema of a section that may be a list or an object contains its fields twice, so its size doubles with each
 * level. Beyond this many levels, fields are described only once.
 */
const describedTwice = 2;

/** The schema of a section: an object, a list of objects, or a value that is only tested or printed. */
function sectionSchema(shape: Shape, sections: number): DataSchema {
  if (shape.properties.size > 0 || shape.keyed !== undefined) {
    return { ...objectSchema(shape, sections), type: ['object', 'boolean'] };
  }
  if (!shape.isEntered) return { type: ['boolean', 'object', 'array'] };
  const item = valueSchema(shape.items, sections + 1);
  const isDescribed = item.type === 'object' && sections < describedTwice;
  return {
    type: shape.isPlural ? ['array', 'object', 'boolean'] : ['object', 'array', 'boolean'],
    ...(typeOf(shape.items) === 'any' ? {} : { items: item }),
    ...(isDescribed && item.properties !== undefined ? { properties: item.properties } : {}),
  };
}

/** @param sections how many sections around the value may be objects or lists */
function valueSchema(shape: Shape, sections: number): DataSchema {
  const type = typeOf(shape);
  if (typeof type === 'object') return type.schema;
  switch (type) {
    case 'object':
      return objectSchema(shape, sections);
    case 'section':
      return sectionSchema(shape, sections);
    case 'array':
      return typeOf(shape.items) === 'any' ? { type } : { type, items: valueSchema(shape.items, sections) };
    case 'date':
    case 'date-time':
      return { type: 'string', format: type };
    case 'address':
      return { type: 'string', format: 'uri' };
    case 'any':
      return {};
    default:
      return { type };
  }
}
