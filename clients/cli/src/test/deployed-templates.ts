import type { Docmill } from '@docmill/client';
import { orDocumentProblem } from '../preview/service-previewer.ts';
import type { Lock } from '../templates/lock-file.ts';
import type { DeployedTemplates } from './check-schema.ts';

/** Whether a warning of an upload reports what clients of the version before it may not expect. */
export const isSchemaBreak = ({ code }: { readonly code: string }): boolean => code.startsWith('schema_');

/**
 * The templates of the account: that of the lock file, else the newest of the name. `delimiters` are those of the files; default: those of
 * the versions that they replace.
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
