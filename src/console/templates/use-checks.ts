import type { components } from '@docmill/client';
import { hasScope, useDocmill } from '../session/session.ts';
import { type Loaded, useLoad } from '../ui/use-load.ts';

export interface Checks {
  readonly file: Blob;
  readonly warnings: components['schemas']['ValidTemplate']['warnings'];
}

/**
 * The file of the current version, and the warnings that uploading it would give. Undefined if the key may not check
 * files.
 */
export function useChecks(id: string, checksum: string | undefined): Loaded<Checks | undefined> {
  const docmill = useDocmill();
  return useLoad(async (signal) => {
    if (checksum === undefined || !hasScope('templates:write')) return undefined;
    const file = new Blob([await docmill.templates.download(id, { signal })]);
    const { warnings } = await docmill.templates.validate(file, {}, { signal });
    return { file, warnings };
  }, `${id} ${checksum}`);
}
