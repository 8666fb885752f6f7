import type { components } from '@docmill/client';
import { hasScope, useDocmill } from '../session/session.ts';
import { type Loaded, useLoad } from '../ui/use-load.ts';

export interface Checks {
  readonly warnings: components['schemas']['ValidTemplate']['warnings'];
}

type Template = Pick<components['schemas']['TemplateDetail'], 'id' | 'checksum' | 'delimiters' | 'unlikelyTags'>;

/** The warnings that uploading the current version would give. Undefined if the key may not check files. */
export function useChecks(template: Template | undefined): Loaded<Checks | undefined> {
  const docmill = useDocmill();
  return useLoad(async (signal) => {
    if (template === undefined || !hasScope('templates:write')) return undefined;
    const { id, delimiters, unlikelyTags } = template;
    const file = new Blob([await docmill.templates.download(id, { signal })]);
    const { warnings } = await docmill.templates.validate(file, { delimiters, unlikelyTags }, { signal });
    return { warnings };
  }, `${template?.id} ${template?.checksum} ${template?.delimiters} ${template?.unlikelyTags}`);
}
