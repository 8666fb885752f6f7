import schemas from './generated-options.json' with { type: 'json' };
import { type FormField, type FormNode, formOf } from './schema-form.ts';

const definitions: Readonly<Record<string, unknown>> = schemas;

/** The options of generate from the OpenAPI document: `output`, and its siblings. */
export const optionsForm = readForm();

function readForm(): { readonly output: readonly FormField[]; readonly request: readonly FormField[] } {
  const fields = fieldsOf(formOf(definitions.GenerateRequest, definitions));
  const output = fields.find(({ name }) => name === 'output');
  return {
    output: output === undefined ? [] : fieldsOf(output.node),
    request: fields.filter(({ name }) => name !== 'output' && name !== 'data'),
  };
}

/** The e-mail fields of a document. */
export const emailFields: readonly FormField[] = fieldsOf(formOf(definitions.EmailOptions, definitions));

function fieldsOf(node: FormNode): readonly FormField[] {
  return node.kind === 'object' ? node.fields : [];
}
