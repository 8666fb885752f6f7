import { optionTexts } from '../texts/output.ts';
import schemas from './generated-options.json' with { type: 'json' };
import { type FormField, type FormNode, formOf } from './schema-form.ts';

const definitions: Readonly<Record<string, unknown>> = schemas;

/** The options of generate from the OpenAPI document: `output`, and its siblings. */
export const optionsForm = readForm();

function readForm(): { readonly output: readonly FormField[]; readonly request: readonly FormField[] } {
  const fields = fieldsOf(formOf(definitions.GenerateRequest, definitions)).map(inWords);
  const output = fields.find(({ name }) => name === 'output');
  return {
    output: output === undefined ? [] : fieldsOf(output.node),
    request: fields.filter(({ name }) => name !== 'output' && name !== 'data'),
  };
}

/** The e-mail fields for which the dialog has its own inputs. The files of the e-mail use the generated form. */
export const emailFields = {
  recipients: ['to', 'cc', 'bcc'],
  message: ['subject', 'body'],
  files: ['attachments'],
} as const;

/** The form of the files of an e-mail. */
export const emailFilesForm = optionsForm.output
  .filter(({ name }) => name === 'email')
  .flatMap(({ node }) => fieldsOf(node))
  .filter(({ name }) => emailFields.files.some((file) => file === name));

/** A field with the words of the console instead of the names and descriptions of the API, which are for programs. */
function inWords(field: FormField): FormField {
  const texts = optionTexts[field.name];
  const { label = field.label, hint, choices } = texts ?? {};
  const own = { ...field, label, description: texts === undefined ? field.description : hint };
  const { node } = field;
  if (node.kind === 'choice') return { ...own, node: { ...node, labels: choices } };
  return node.kind === 'object' ? { ...own, node: { ...node, fields: node.fields.map(inWords) } } : own;
}

function fieldsOf(node: FormNode): readonly FormField[] {
  return node.kind === 'object' ? node.fields : [];
}
