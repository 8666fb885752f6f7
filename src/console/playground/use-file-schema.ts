import type { Docmill, SyntaxOptions } from '@docmill/client';
import { useEffect, useState } from 'preact/hooks';
import type { FollowedFile } from './followed-file.ts';

/** The schema of a file, so that the form shows its tags as soon as it is saved; undefined without a file. */
export function useFileSchema(
  docmill: Docmill,
  file: FollowedFile | undefined,
  syntax: SyntaxOptions,
): object | undefined {
  const [schema, setSchema] = useState<object>();
  useEffect(() => {
    if (file === undefined) return setSchema(undefined);
    const controller = new AbortController();
    docmill.templates.validate(file.content, syntax, { signal: controller.signal }).then(
      (valid) => controller.signal.aborted || setSchema(valid.schema),
      // The preview shows the errors of the file; the form stays as it is.
      () => undefined,
    );
    return () => controller.abort();
  }, [docmill, file, syntax]);
  return file === undefined ? undefined : schema;
}
