import { isDeepStrictEqual } from 'node:util';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command } from '@commander-js/extra-typings';
import { ApiError, type Docmill } from '@docmill/client';
import type { Cli, Service } from '../cli.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { findTemplate, type TemplateMetadata } from '../find-template.ts';
import { wholeNumber } from '../option-values.ts';
import { newestVersion } from './newest-version.ts';
import { changedMeanwhile, describeFault, refusalOf, reportSync, type SyncResult } from './sync-results.ts';
import { checksumOf } from './template-file.ts';

export function promoteTemplatesCommand(cli: Cli): CommandUnknownOpts {
  return new Command('promote')
    .description('copy templates from the service of one profile to that of another')
    .argument('<templates...>', 'names or ids in the first service')
    .requiredOption('--from <profile>', 'profile to copy from, such as staging')
    .requiredOption('--to <profile>', 'profile to copy to, such as production')
    .option(
      '--template-version <number>',
      'version to copy, of one template (default: the current one)',
      wholeNumber(1, 2_000_000_000),
    )
    .option('--allow-breaking', 'also copy versions that break the data of clients')
    .option('--submit', 'submit the versions for review, if the second service makes them drafts')
    .option('--dry-run', 'check the versions, print what would be copied, and change nothing')
    .addHelpText(
      'after',
      `
The template of the same name gets a new version, or is created. Nothing happens when its current version is equal, so that the command
can be repeated. A version that breaks clients of the second service is refused without --allow-breaking, and one that is
not approved in the first service is always refused. If the account of the second service needs approval, the new version is
a draft there until another person approves it.

Examples:
  docmill templates promote invoice --from staging --to production --dry-run
  docmill templates promote invoice letter --from staging --to production`,
    )
    .action(async (named, { from, to, templateVersion: version, allowBreaking, submit, dryRun }, command) => {
      const { output, connect } = cli.start(command);
      if (version !== undefined && named.length > 1) {
        throw new CliError(exitCodes.usage, '--template-version is the version of one template.', 'Name one template.');
      }
      const [source, target] = [connect(from), connect(to)];
      refuseSame(source, target);
      const options = {
        version,
        isStrict: allowBreaking !== true,
        isSubmitted: submit === true,
        isDryRun: dryRun === true,
        signal: cli.signal,
      };
      // Find all of them before changing the first one.
      const sources: TemplateMetadata[] = [];
      for (const name of new Set(named)) sources.push(await findTemplate(source.docmill, name, cli.signal));
      const ordered = await inInclusionOrder(source.docmill, sources, cli.signal);
      const results: SyncResult[] = [];
      for (const template of ordered) results.push(await promote(source.docmill, target.docmill, template, options));
      reportSync(cli, output, results, options.isDryRun);
    });
}

/** Templates follow those that they include, because a service refuses a tag that names an unknown template. */
async function inInclusionOrder(
  { templates }: Docmill,
  sources: readonly TemplateMetadata[],
  signal: AbortSignal,
): Promise<readonly TemplateMetadata[]> {
  const byId = new Map(sources.map((template) => [template.id, template]));
  const ordered = new Set<TemplateMetadata>();
  const entered = new Set<string>();
  const add = async (template: TemplateMetadata): Promise<void> => {
    if (entered.has(template.id)) return;
    entered.add(template.id);
    const { includes = [] } = await templates.get(template.id, { signal });
    for (const { templateId = '' } of includes) {
      const included = byId.get(templateId);
      if (included !== undefined) await add(included);
    }
    ordered.add(template);
  };
  if (sources.length === 1) return sources;
  for (const template of sources) await add(template);
  return [...ordered];
}

function refuseSame({ profile: from }: Service, { profile: to }: Service): void {
  if (from.url !== to.url || from.apiKey !== to.apiKey) return;
  const hint = 'An older version becomes the current one with POST /v1/templates/{id}/versions/{version}/promote.';
  throw new CliError(exitCodes.usage, 'Both profiles use the same service and key.', hint);
}

interface PromoteOptions {
  readonly version: number | undefined;
  readonly isStrict: boolean;
  /** Whether a draft in the second service is submitted for review. */
  readonly isSubmitted: boolean;
  readonly isDryRun: boolean;
  readonly signal: AbortSignal;
}

/** The settings that are stored with the file of a version. */
interface Settings {
  readonly stated: object | null;
  readonly invoiceMap: object | null;
  /** Undefined for an older version, which keeps the tag syntax of the template that it replaces. */
  readonly syntax: { readonly delimiters: string; readonly unlikelyTags: 'text' | 'fill' } | undefined;
}

async function readSettings(
  { templates }: Docmill,
  id: string,
  version: number,
  signal: AbortSignal,
): Promise<Settings> {
  const { version: current, delimiters, unlikelyTags } = await templates.get(id, { signal });
  const stored = await templates.schema(id, { version }, { signal }).then(
    ({ stated = null, invoiceMap = null }) => ({ stated, invoiceMap }),
    (error: unknown) => {
      // A version from before schemas were stored states nothing.
      if (error instanceof ApiError && error.status === 404) return { stated: null, invoiceMap: null };
      throw error;
    },
  );
  return { ...stored, syntax: version === current ? { delimiters, unlikelyTags } : undefined };
}

async function promote(
  source: Docmill,
  target: Docmill,
  template: TemplateMetadata,
  { version = template.version, isStrict, isSubmitted, isDryRun, signal }: PromoteOptions,
): Promise<SyncResult> {
  const { id, name } = template;
  const unapproved = await unapprovedOf(source, template, version, signal);
  if (unapproved !== undefined) return { file: name, action: 'failed', id, version, message: unapproved };
  const bytes = await source.templates.downloadVersion(id, version, { signal });
  const { stated, invoiceMap, syntax } = await readSettings(source, id, version, signal);
  const found = await findByName(target, name, signal);
  const known = found && (await newestVersion(target, found, signal));
  const result = (action: SyncResult['action'], rest: Partial<SyncResult> = {}): SyncResult => ({
    ...{ file: name, action, id: known?.id ?? null, version: known?.version ?? null, ...rest },
  });
  const present = known && (await readSettings(target, known.id, known.version, signal));
  const hasSameSettings =
    isDeepStrictEqual(present?.stated, stated) &&
    isDeepStrictEqual(present?.invoiceMap, invoiceMap) &&
    (syntax === undefined || isDeepStrictEqual(present?.syntax, syntax));
  if (known?.checksum === checksumOf(bytes) && hasSameSettings) return result('unchanged');
  const settings = {
    ...syntax,
    ...((stated ?? present?.stated ?? null) !== null && { schema: stated ?? {} }),
    ...((invoiceMap ?? present?.invoiceMap ?? null) !== null && { invoiceMap: invoiceMap ?? {} }),
  };
  const action = known === undefined ? 'created' : 'uploaded';
  try {
    const { warnings } = await target.templates.validate(bytes, { replaces: known?.id, ...settings }, { signal });
    const refusal = isStrict ? refusalOf(warnings) : undefined;
    if (refusal !== undefined) return result(refusal.action, refusal);
    const messages = warnings.map(({ message }) => message);
    if (isDryRun) return result(action, { warnings: messages });
    const call = { strictSchema: isStrict, signal, ...settings };
    if (known === undefined) {
      const created = await target.templates.put(name, bytes, { ...call, ifNoneMatch: '*' });
      const note = await settleDraft(target, created, isSubmitted, signal);
      return result(action, { id: created.id, version: created.version, warnings: [...messages, ...note] });
    }
    const { template: now, entityTag } = await target.templates.getWithEtag(known.id, { signal });
    if ((await newestVersion(target, now, signal)).checksum !== known.checksum)
      return result('conflict', { message: changedMeanwhile });
    const put = await target.templates.put(name, bytes, { ...call, ifMatch: entityTag });
    const note = await settleDraft(target, put, isSubmitted, signal);
    if (put.version === known.version) return result('unchanged', { warnings: note });
    return result(action, { version: put.version, warnings: [...messages, ...note] });
  } catch (error) {
    const fault = describeFault(error);
    if (fault === undefined) throw error;
    return result(fault.action, fault);
  }
}

/** Why a version must not leave the first service; undefined if it may. */
async function unapprovedOf(
  { templates }: Docmill,
  template: TemplateMetadata,
  version: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (version === template.version && template.draftVersion === undefined && template.reviewState === undefined) return;
  const { state = 'approved' } = await templates.review(template.id, version, { signal });
  if (state === 'approved') return undefined;
  return `version ${version} is not approved in the first service; have another person approve it there`;
}

/** Submits a draft if that was asked for, and returns what still has to happen before it is live. */
async function settleDraft(
  { templates }: Docmill,
  { id, version, reviewState }: TemplateMetadata,
  isSubmitted: boolean,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (reviewState !== 'draft' && reviewState !== 'review') return [];
  if (reviewState === 'draft' && !isSubmitted) {
    return [
      `version ${version} is a draft in the second service; docmill templates submit ${id} submits it for review`,
    ];
  }
  if (reviewState === 'draft') await templates.submit(id, version, { signal });
  return [`version ${version} waits for approval in the second service; it is not live yet`];
}

/** Throws `usage` if several templates have the name, because it is unclear which one to replace. */
async function findByName(docmill: Docmill, name: string, signal: AbortSignal): Promise<TemplateMetadata | undefined> {
  try {
    return await findTemplate(docmill, name, signal);
  } catch (error) {
    if (error instanceof CliError && error.exitCode === exitCodes.notFound) return undefined;
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}
