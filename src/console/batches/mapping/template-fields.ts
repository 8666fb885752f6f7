import { type CellType, cellTypeOf } from '../../../shared/cells/cell-type.ts';
import { isObject } from '../../json-editor/is-object.ts';
import { formatPath, keyOf, type Path } from '../path.ts';

/** A value that a template uses in its tags. */
export interface TemplateField {
  readonly key: string;
  readonly path: Path;
  readonly name: string;
  readonly type: CellType;
  readonly isRequired: boolean;
}

/** A list whose elements have values, such as `items` in `items[0].price`. */
export interface TemplateList {
  readonly key: string;
  readonly name: string;
}

export interface TemplateFields {
  readonly fields: readonly TemplateField[];
  readonly lists: readonly TemplateList[];
}

const maxFields = 2_000;

/**
 * The fields of a template, from the JSON Schema of its data.
 *
 * @param elements the number of elements of each list that get their own fields, by list key; 0 for a list that is one
 * cell. Without it, every list is one field
 */
export function fieldsOf(schema: unknown, elements?: ReadonlyMap<string, number>): TemplateFields {
  const fields: TemplateField[] = [];
  const lists: TemplateList[] = [];
  const visit = (node: unknown, path: Path, isRequired: boolean): void => {
    if (fields.length >= maxFields || !isObject(node)) return;
    const types = [node.type].flat();
    // A section that may be a list or an object is offered as a list.
    const isList = types.includes('array') && (types.length === 1 || node.items !== undefined);
    if (isObject(node.properties) && !isList) {
      const required: unknown[] = Array.isArray(node.required) ? node.required : [];
      for (const [name, child] of Object.entries(node.properties)) {
        visit(child, [...path, name], isRequired && required.includes(name));
      }
      return;
    }
    const key = keyOf(path);
    if (elements !== undefined && isList) {
      lists.push({ key, name: formatPath(path) });
      // An element that only some rows have is not required in every row.
      const count = elements.get(key) ?? 1;
      for (let index = 0; index < count; index++) visit(node.items ?? {}, [...path, index], false);
      if (count > 0) return;
    }
    if (path.length > 0) fields.push({ key, path, name: formatPath(path), type: cellTypeOf(node), isRequired });
  };
  visit(schema, [], true);
  return { fields, lists };
}
