import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command } from '@commander-js/extra-typings';
import { ApiError, type Docmill } from '@docmill/client';
import type { Cli } from '../cli.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import type { TemplateMetadata } from '../find-template.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import { writeWholeFile } from '../write-file.ts';
import type { Pair } from './pair-templates.ts';
import { reportSync, type SyncResult } from './sync-results.ts';
import { checksumOf, mapPathOf, readInvoiceMap, readTemplate } from './template-file.ts';
import { openTemplateFolder, type TemplateFolder } from './template-folder.ts';

const concurrency = 4;

export function pullTemplatesCommand(cli: Cli): CommandUnknownOpts {
  return new Command('pull')
    .description('fetch templates of the service into a folder')
    .argument('[templates...]', 'names or ids (default: all)')
    .option('--folder <folder>', 'folder of the project', '.')
    .option('--force', 'replace files that were changed here')
    .option('--dry-run', 'print what would be fetched, and write nothing')
    .addHelpText(
      'after',
      `
Files go to the folder "templates" of the project; docmill.lock.json keeps the version of each. A file that was changed here is
kept: when the template was changed in the service too, that is a conflict, and the command exits with 7.

Examples:
  docmill templates pull
  docmill templates pull invoice letter --folder contracts`,
    )
    .action(async (named, { folder: root, force, dryRun }, command) => {
      const { output, connect } = cli.start(command);
      const service = connect();
      const folder = await openTemplateFolder(service, cli, { root, named, isNewAllowed: true });
      const options = { isForced: force === true, isDryRun: dryRun === true, signal: cli.signal };
      try {
        const results = await mapConcurrently(folder.pairs, concurrency, (pair) =>
          pull(service.docmill, folder, pair, options),
        );
        reportSync(cli, output, results.flat(), options.isDryRun);
      } finally {
        if (!options.isDryRun) await folder.save();
      }
    });
}

interface PullOptions {
  readonly isForced: boolean;
  readonly isDryRun: boolean;
  readonly signal: AbortSignal;
}

async function pull(
  docmill: Docmill,
  folder: TemplateFolder,
  pair: Pair,
  { isForced, isDryRun, signal }: PullOptions,
): Promise<readonly SyncResult[]> {
  const { file, locked, remote } = pair;
  const result = (action: SyncResult['action'], message?: string): readonly SyncResult[] => [
    {
      file,
      action,
      id: remote?.id ?? locked?.id ?? null,
      version: remote?.version ?? null,
      ...(message && { message }),
    },
  ];
  if (remote === undefined) {
    if (locked === undefined) return [];
    return result('kept', 'it is not in the service any more, or the key is of another account');
  }
  if (pair.problem !== undefined) return result('conflict', pair.problem);
  const local = await readTemplate(folder.pathOf(pair));
  if (local?.checksum === remote.checksum) {
    const isNewer = locked?.version !== remote.version;
    if (!isDryRun && isNewer) await pullMap(docmill, remote, { path: folder.pathOf(pair), isForced, signal });
    folder.remember(file, remote);
    return result('unchanged');
  }
  const isChangedHere = local !== undefined && local.checksum !== locked?.checksum;
  if (isChangedHere && !isForced) {
    if (remote.checksum === locked?.checksum)
      return result('kept', 'it was changed here: docmill templates push sends it');
    const both = locked === undefined ? 'it is here with other content' : 'it was changed here and in the service';
    return result(
      'conflict',
      `${both}; compare them with docmill templates diff, then use push --force or pull --force`,
    );
  }
  if (!isDryRun) {
    const bytes = await download(docmill, remote, signal);
    // A file saved in the meantime is kept.
    if ((await readTemplate(folder.pathOf(pair)))?.checksum !== local?.checksum) {
      return result('conflict', 'it was changed here just now; run the command again');
    }
    await writeWholeFile(folder.pathOf(pair), bytes, true);
    await pullMap(docmill, remote, { path: folder.pathOf(pair), isForced, signal });
    folder.remember(file, remote);
  }
  return result('downloaded');
}

/** Writes the invoice mapping of a version beside its file. One that is here stays, unless the pull is forced. */
async function pullMap(
  { templates }: Docmill,
  { id, version }: TemplateMetadata,
  { path, isForced, signal }: { readonly path: string; readonly isForced: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const invoiceMap = await templates.schema(id, { version }, { signal }).then(
    (schema) => schema.invoiceMap ?? null,
    (error: unknown) => {
      // A version from before schemas were stored has no mapping.
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    },
  );
  if (invoiceMap === null || (!isForced && (await readInvoiceMap(path)) !== undefined)) return;
  await writeWholeFile(mapPathOf(path), `${JSON.stringify(invoiceMap, null, 2)}\n`, true);
}

/** The bytes of a version never change, so a concurrent replacement does no harm. */
async function download(docmill: Docmill, { id, version, checksum, name }: TemplateMetadata, signal: AbortSignal) {
  const bytes = await docmill.templates.downloadVersion(id, version, { signal });
  if (checksumOf(bytes) === checksum) return bytes;
  throw new CliError(exitCodes.failed, `${name} did not arrive as it is stored.`, 'Run the command again.');
}
