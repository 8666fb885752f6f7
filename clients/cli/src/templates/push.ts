import { isDeepStrictEqual } from 'node:util';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command } from '@commander-js/extra-typings';
import type { Docmill } from '@docmill/client';
import type { Cli } from '../cli.ts';
import type { TemplateMetadata } from '../find-template.ts';
import { createTemplate, type Uploaded } from './create-template.ts';
import { inInclusionOrder } from './inclusion-order.ts';
import { newestVersion } from './newest-version.ts';
import type { Pair } from './pair-templates.ts';
import { changedMeanwhile, describeFault, refusalOf, reportSync, type SyncResult } from './sync-results.ts';
import { readInvoiceMap, readTemplate, type TemplateContent } from './template-file.ts';
import { openTemplateFolder, type TemplateFolder } from './template-folder.ts';

export function pushTemplatesCommand(cli: Cli): CommandUnknownOpts {
  return new Command('push')
    .description('upload the templates of a folder that were changed')
    .argument('[templates...]', 'names of files or templates (default: all)')
    .option('--folder <folder>', 'folder of the project', '.')
    .option('--allow-breaking', 'also upload versions that break the data of clients')
    .option('--force', 'upload over versions that are not in the lock file')
    .option('--dry-run', 'check the files, print what would be uploaded, and change nothing')
    .addHelpText(
      'after',
      `
A template whose version in the service is another one than in docmill.lock.json is not overwritten: that is a conflict, and the command
exits with 7. A version that removes, retypes or newly requires fields is refused without --allow-breaking, because programs that send
the data of today would fail. A file that is missing here deletes nothing. Templates are uploaded after those that they include; --dry-run, which uploads
none, does not check a template that includes a new one. The invoice mapping of invoice.docx is invoice.map.json beside it.

Examples:
  docmill templates push
  docmill templates push invoice --dry-run`,
    )
    .action(async (named, { folder: root, allowBreaking, force, dryRun }, command) => {
      const { output, connect } = cli.start(command);
      const service = connect();
      const folder = await openTemplateFolder(service, cli, { root, named, isNewAllowed: false });
      const isDryRun = dryRun === true;
      const options = { isStrict: allowBreaking !== true, isForced: force === true, isDryRun, signal: cli.signal };
      const results: SyncResult[] = [];
      try {
        const created = new Set<Pair>();
        for (const { pair, includes } of await inInclusionOrder(folder)) {
          const newlyIncluded = includes.find((included) => created.has(included));
          const pushed = await push(service.docmill, folder, pair, { ...options, newlyIncluded });
          if (pushed.some(({ action }) => action === 'created')) created.add(pair);
          results.push(...pushed);
        }
        reportSync(cli, output, results, isDryRun);
      } finally {
        if (!isDryRun) await folder.save();
      }
    });
}

interface PushOptions {
  readonly isStrict: boolean;
  readonly isForced: boolean;
  readonly isDryRun: boolean;
  readonly signal: AbortSignal;
  /** An included template that this run creates. */
  readonly newlyIncluded: Pair | undefined;
}

interface UploadOptions extends PushOptions {
  readonly delimiters: string | undefined;
  readonly invoiceMap: object | undefined;
}

async function push(
  docmill: Docmill,
  folder: TemplateFolder,
  pair: Pair,
  options: PushOptions,
): Promise<readonly SyncResult[]> {
  const { file, locked, remote, problem } = pair;
  const id = remote?.id ?? locked?.id ?? null;
  const result = (action: SyncResult['action'], rest: Partial<SyncResult> = {}): readonly SyncResult[] => [
    { file, action, id, version: remote?.version ?? null, ...rest },
  ];
  const local = await readTemplate(folder.pathOf(pair));
  if (local === undefined) {
    return locked === undefined
      ? []
      : result('kept', { message: 'the file is missing here; the template stays in the service' });
  }
  if (problem !== undefined) return result('conflict', { message: problem });
  const invoiceMap = await readInvoiceMap(folder.pathOf(pair));
  if (remote?.checksum === local.checksum && (await hasMap(docmill, remote, invoiceMap, options.signal))) {
    folder.remember(file, remote);
    return result('unchanged');
  }
  const conflict = options.isForced ? undefined : conflictOf(pair);
  if (conflict !== undefined) return result('conflict', { message: conflict });
  const action = remote === undefined ? 'created' : 'uploaded';
  try {
    const call = { ...options, delimiters: folder.delimiters, invoiceMap };
    if (options.isDryRun || remote !== undefined) {
      const checked = await check(docmill, pair, local, call);
      if (options.isDryRun || checked.action !== undefined) return result(action, checked);
    }
    const uploaded = await upload(docmill, pair, local, call);
    if (uploaded === undefined) return result('conflict', { message: changedMeanwhile });
    folder.remember(file, uploaded);
    const warnings = uploaded.warnings.map(({ message }) => message);
    const { id: uploadedId, version, reviewState } = uploaded;
    if (reviewState === 'draft') {
      warnings.push(`version ${version} is a draft; docmill templates submit ${uploadedId} submits it for review`);
    }
    return result(action, { id: uploadedId, version, warnings });
  } catch (error) {
    const fault = describeFault(error);
    if (fault === undefined) throw error;
    return result(fault.action, fault);
  }
}

/** Whether the template has the invoice mapping of this folder. Without one here, that of the template stays. */
async function hasMap(
  { templates }: Docmill,
  { id, version }: TemplateMetadata,
  invoiceMap: object | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  if (invoiceMap === undefined) return true;
  const { invoiceMap: stored } = await templates.schema(id, { version }, { signal });
  return isDeepStrictEqual(stored, invoiceMap);
}

/** Why an upload could overwrite changes that nobody here has seen; undefined if it cannot. */
function conflictOf({ locked, remote }: Pair): string | undefined {
  if (remote === undefined) {
    if (locked === undefined) return undefined;
    return 'it is not in the service any more, or the key is of another account; push --force uploads it as a new template';
  }
  if (remote.checksum === locked?.checksum) return undefined;
  const what =
    locked === undefined
      ? 'the service has a template of this name with other content'
      : `the service has version ${remote.version}, the lock file ${locked.version}`;
  return `${what}; compare them with docmill templates diff, then use pull --force or push --force`;
}

/** Undefined if the template has changed since it was listed. */
async function upload(
  docmill: Docmill,
  { file, remote }: Pair,
  { bytes }: TemplateContent,
  { isStrict, signal, delimiters, invoiceMap }: UploadOptions,
): Promise<Uploaded | undefined> {
  const { templates } = docmill;
  if (remote === undefined)
    return await createTemplate(templates, file.normalize('NFC'), bytes, { signal, delimiters, invoiceMap });
  const { template, entityTag } = await templates.getWithEtag(remote.id, { signal });
  if ((await newestVersion(docmill, template, signal)).checksum !== remote.checksum) return undefined;
  const call = { strictSchema: isStrict, ifMatch: entityTag, delimiters, invoiceMap, signal };
  return await templates.replace(template.id, template.name, bytes, call);
}

/** The result that the upload would have. Throws if it would be rejected. */
async function check(
  { templates }: Docmill,
  { remote }: Pair,
  { bytes }: TemplateContent,
  { isStrict, signal, delimiters, invoiceMap, newlyIncluded }: UploadOptions,
): Promise<Partial<SyncResult>> {
  if (newlyIncluded !== undefined)
    return { message: `it was not checked, because it includes ${newlyIncluded.file}, which is pushed first` };
  const { warnings } = await templates.validate(bytes, { replaces: remote?.id, delimiters, invoiceMap }, { signal });
  const refusal = isStrict ? refusalOf(warnings) : undefined;
  return refusal ?? { warnings: warnings.map(({ message }) => message) };
}
