import type { Docmill } from '@docmill/client';
import { orDocumentProblem } from '../preview/service-previewer.ts';
import type { Lock } from '../templates/lock-file.ts';
import type { DeployedTemplates } from './check-schema.ts';

/** Whether an upload warning reports a change that breaks clients of the previous version. */
export const isSchemaBreak = ({ code }: { readonly code: string }): boolean =>
  code.startsWith('schema_') && code !== 'schema_not_compared';

/**
 * The templates of the account: the one in the lock file, or else the newest with the name. `delimiters` are those of
 * the files; default: those of the replaced versions.
 */
export function createDeployedTemplates(
  { templates }: Docmill,
  lock: Lock,
  signal: AbortSignal,
  delimiters?: string,
): DeployedTemplates {
  return {
    async findId(file) {
      const { id, name } = lock.get(file) ?? { id: undefined, name: file };
      let newest: string | undefined;
      for await (const template of templates.list({ name }, { signal })) {
        if (template.id === id) return id;
        if (template.name === name) newest ??= template.id;
      }
      return newest;
    },
    async schemaBreaks(templateId, file) {
      const options = { replaces: templateId, delimiters };
      const { warnings } = await orDocumentProblem(() =>
        templates.validate(Uint8Array.from(file), options, { signal }),
      );
      return warnings.filter(isSchemaBreak).map(({ message }) => message);
    },
  };
}
