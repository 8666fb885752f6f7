import type { Docmill } from '@docmill/client';
import { orDocumentProblem } from '../preview/service-previewer.ts';
import type { DeployedTemplates } from './check-schema.ts';

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
      return warnings.filter(({ code }) => code.startsWith('schema_')).map(({ message }) => message);
    },
  };
}
