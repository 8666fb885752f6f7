import type { Docmill } from '@docmill/client';
import { orDocumentProblem } from '../preview/service-previewer.ts';
import type { DeployedTemplates } from './check-schema.ts';

/** Whether a warning of an upload reports what clients of the version before it may not expect. */
export const isSchemaBreak = ({ code }: { readonly code: string }): boolean => code.startsWith('schema_');

/** The templates of the account. Of several with one name the newest counts. */
export function createDeployedTemplates({ templates }: Docmill, signal: AbortSignal): DeployedTemplates {
  return {
    async findId(name) {
      for await (const template of templates.list({ name }, { signal })) {
        if (template.name === name) return template.id;
      }
      return undefined;
    },
    async schemaBreaks(templateId, file) {
      const options = { replaces: templateId };
      const { warnings } = await orDocumentProblem(() =>
        templates.validate(Uint8Array.from(file), options, { signal }),
      );
      return warnings.filter(isSchemaBreak).map(({ message }) => message);
    },
  };
}
