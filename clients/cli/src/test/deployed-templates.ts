import type { Docmill } from '@docmill/client';
import { z } from 'zod';
import { orDocumentProblem, templateBlob } from '../preview/service-previewer.ts';
import type { DeployedTemplates } from './check-schema.ts';

const templateList = z.array(z.object({ id: z.string(), name: z.string() }));
const validation = z.object({ warnings: z.array(z.object({ code: z.string(), message: z.string() })) });
const listed = 100;

/** The templates of the account. Of several with one name the newest counts. */
export function createDeployedTemplates(docmill: Docmill, signal: AbortSignal): DeployedTemplates {
  return {
    async findId(name) {
      const query = { name, limit: listed };
      const templates = templateList.parse(await docmill.request('GET', '/v1/templates', { query, signal }));
      return templates.find((template) => template.name === name)?.id;
    },
    async schemaBreaks(templateId, file) {
      const body = new FormData();
      body.set('file', templateBlob(file), 'template.docx');
      const options = { query: { replaces: templateId }, body, signal };
      const answer = await orDocumentProblem(() =>
        docmill.send('POST', '/v1/templates/validate', options, (response) => response.json()),
      );
      const { warnings } = validation.parse(answer);
      return warnings.filter(({ code }) => code.startsWith('schema_')).map(({ message }) => message);
    },
  };
}
