import Papa from 'papaparse';
import { readAt } from '../mapping/path.ts';
import { fieldsOf } from '../mapping/template-fields.ts';

const elementsOfLists = 2;
const byteOrderMark = '\uFEFF';

/** A CSV file with a column for every tag of a template and its example as the first row. Lists have two elements. */
export function sampleCsv(schema: unknown, example: unknown): string {
  const { lists } = fieldsOf(schema, new Map());
  const elements = new Map(lists.map(({ key }) => [key, elementsOfLists]));
  const { fields } = fieldsOf(schema, elements);
  const values = fields.map(({ path }) => textOf(readAt(example, path)));
  return byteOrderMark + Papa.unparse({ fields: fields.map(({ name }) => name), data: [values] });
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? '' : String(value);
}
