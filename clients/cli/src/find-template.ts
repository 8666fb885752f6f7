import type { components, Docmill } from '@docmill/client';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';

export type TemplateMetadata = components['schemas']['TemplateMetadata'];

/**
 * Finds a template by id or name; the ending `.docx` may be omitted. Throws `notFound` if there is none, and `usage` if
 * several have the name.
 */
export async function findTemplate(docmill: Docmill, named: string, signal: AbortSignal): Promise<TemplateMetadata> {
  if (/^tpl_[0-9a-z]{26}$/.test(named)) {
    return await docmill.templates.get(named, { signal });
  }
  const name = /\.docx$/i.test(named) ? named : `${named}.docx`;
  const found: TemplateMetadata[] = [];
  // The service matches any part of the name.
  for await (const template of docmill.templates.list({ name }, { signal })) {
    if (template.name === name) found.push(template);
  }
  const [first] = found;
  if (first === undefined) {
    const hint = 'See what there is: docmill templates list.';
    throw new CliError(exitCodes.notFound, `There is no template ${JSON.stringify(named)}.`, hint);
  }
  if (found.length === 1) return first;
  const ids = found.map(({ id, updatedAt }) => `${id} (changed ${updatedAt})`).join(', ');
  throw new CliError(exitCodes.usage, `Several templates have the name ${JSON.stringify(named)}.`, `Use an id: ${ids}`);
}
