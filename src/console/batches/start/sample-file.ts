import Papa from 'papaparse';
import { fieldsOf } from '../mapping/template-fields.ts';
import { readAt } from '../path.ts';

const elementsOfLists = 2;
const byteOrderMark = '\uFEFF';

/**
 * A CSV file with a column for every tag of a template, and its example data as the first row. Lists have two elements.
 */
export function sampleFile(templateName: string, schema: unknown, example: unknown): File {
  const { lists } = fieldsOf(schema, new Map());
  const elements = new Map(lists.map(({ key }) => [key, elementsOfLists]));
  const { fields } = fieldsOf(schema, elements);
  const values = fields.map(({ path }) => textOf(readAt(example, path)));
  const csv = Papa.unparse({ fields: fields.map(({ name }) => name), data: [values] });
  return new File([byteOrderMark, csv], templateName.replace(/\.docx$/i, '.csv'), { type: 'text/csv' });
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? '' : String(value);
}
