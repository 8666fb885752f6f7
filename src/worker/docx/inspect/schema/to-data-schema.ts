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

function objectSchema({ properties, ordered, keyed }: Shape): DataSchema {
  const required = [...properties].filter(([, shape]) => shape.isRequired).map(([name]) => name);
  const schemas = Object.fromEntries(ordered.map(([name, shape]) => [name, valueSchema(shape)]));
  return {
    type: 'object',
    ...(properties.size > 0 || keyed === undefined ? { properties: schemas } : {}),
    ...(keyed === undefined || typeOf(keyed) === 'any' ? {} : { additionalProperties: valueSchema(keyed) }),
    ...(required.length > 0 ? { required } : {}),
  };
}

function valueSchema(shape: Shape): DataSchema {
  const type = typeOf(shape);
  if (typeof type === 'object') return type.schema;
  switch (type) {
    case 'object':
      return objectSchema(shape);
    case 'array':
      return typeOf(shape.items) === 'any' ? { type } : { type, items: valueSchema(shape.items) };
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
