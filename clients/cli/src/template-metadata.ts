import type { Docmill } from '@docmill/client';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';
import { listPages } from './list-pages.ts';

/** What the service says of a template, as far as the commands use it. */
export interface TemplateMetadata {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly size: number;
  readonly tags: readonly string[];
  readonly updatedAt: string;
}

/** The templates of the account, newest first; `name` is a part of their name. */
export async function* listTemplates(
  docmill: Docmill,
  { name, signal }: { readonly name: string | undefined; readonly signal: AbortSignal },
): AsyncGenerator<TemplateMetadata> {
  for await (const template of listPages(docmill, '/v1/templates', { query: { limit: 100, name }, signal })) {
    yield template as TemplateMetadata;
  }
}

/**
 * The template with this id or name; `.docx` may be left out of a name. Throws `notFound` when there is none, and `usage` when several
 * have the name.
 */
export async function findTemplate(docmill: Docmill, named: string, signal: AbortSignal): Promise<TemplateMetadata> {
  if (/^tpl_[0-9a-z]{26}$/.test(named)) {
    return (await docmill.request('GET', `/v1/templates/${named}`, { signal })) as TemplateMetadata;
  }
  const name = /\.docx$/i.test(named) ? named : `${named}.docx`;
  const found: TemplateMetadata[] = [];
  // The service finds names that contain a text.
  for await (const template of listTemplates(docmill, { name, signal })) {
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
