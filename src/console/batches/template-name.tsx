import { NotFoundError } from '@docmill/client';
import { useDocmill } from '../session/session.ts';
import { batchTexts } from '../texts/batches.ts';
import { useLoad } from '../ui/use-load.ts';

const kept = 200;
const names = new Map<string, Promise<string>>();

/** The name of a template; its id while it is loaded, and when this key may not read it. */
export function useTemplateName(id: string): string {
  const docmill = useDocmill();
  const { value } = useLoad(() => {
    const known = names.get(id) ?? docmill.templates.get(id).then(({ name }) => name.replace(/\.docx$/i, ''));
    if (names.size >= kept) names.clear();
    names.set(id, known);
    return known.catch((error: unknown) => {
      names.delete(id);
      return error instanceof NotFoundError ? batchTexts.deletedTemplate : id;
    });
  }, id);
  return value ?? id;
}

export function TemplateName({ id }: { readonly id: string }) {
  return <>{useTemplateName(id)}</>;
}
