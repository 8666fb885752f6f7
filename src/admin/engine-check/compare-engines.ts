import { loadStorageConfig } from '../../shared/config/load-config.ts';
import { openObjects } from '../../shared/connections.ts';
import { pinTemplate } from '../../shared/domain/templates/pin-template.ts';
import { createLogger, type Logger } from '../../shared/logger.ts';
import { createAssetLoader } from '../../worker/documents/load-assets.ts';
import { createTemplateCache } from '../../worker/documents/template-cache.ts';
import { type AdminDeps, type Options, UsageError } from '../parse-command.ts';
import { readCount, readPath } from '../read-options.ts';
import type { Case } from './cases/case.ts';
import { findFolderCases } from './cases/folder-cases.ts';
import { findTemplateCases } from './cases/template-cases.ts';
import { defaultJobs } from './open-engines.ts';
import { type EngineCheck, type EngineCheckOptions, runEngineCheck } from './run-engine-check.ts';

const defaults = { dpi: 72, maxPages: 100, timeoutSeconds: 60 };
/** The name for the LibreOffice that a worker finds without configuration. */
const systemEngine = 'system';
const assetCacheBytes = 64 * 1024 * 1024;
const templateCacheBytes = 64 * 1024 * 1024;

/** Runs the command and returns its summary. */
export async function compareEngines(deps: AdminDeps, options: Options): Promise<object> {
  const logger = createLogger('silent', 'engine-check');
  const checkOptions = readOptions(options, logger);
  const check = options.has('folder')
    ? await runEngineCheck(await findFolderCases(requireNoTemplates(options)), checkOptions)
    : await checkTemplates(deps, options, checkOptions);
  const { results: _, ...summary } = check;
  const pinned = options.has('pin-differences') ? await pinDifferences(deps, check) : undefined;
  return { ...summary, ...(pinned !== undefined && { pinned }) };
}

function readOptions(options: Options, logger: Logger): EngineCheckOptions {
  const engine = (name: 'old' | 'new'): string | undefined => {
    const path = readPath(options, name);
    return path === systemEngine ? undefined : path;
  };
  const count = (name: string, min: number, max: number, usual: number): number =>
    options.has(name) ? readCount(options, name, min, max) : usual;
  return {
    oldPath: engine('old'),
    newPath: engine('new'),
    reportFolder: readPath(options, 'report'),
    rulesFolder: options.has('rules') ? readPath(options, 'rules') : undefined,
    jobs: count('jobs', 1, 64, defaultJobs()),
    dpi: count('dpi', 36, 300, defaults.dpi),
    maxPages: count('max-pages', 1, 10_000, defaults.maxPages),
    convertTimeoutMs: 1_000 * count('timeout-seconds', 1, 3_600, defaults.timeoutSeconds),
    logger,
    onProgress: (line) => void process.stderr.write(`${line}\n`),
  };
}

/** Returns the folder of files, and rejects options that apply only to templates of the service. */
function requireNoTemplates(options: Options): string {
  const wrong = ['golden', 'store-golden', 'allow-real-data', 'pin-differences'].find((name) => options.has(name));
  if (wrong !== undefined) throw new UsageError(`--${wrong} is for templates of the service, not for --folder`);
  return readPath(options, 'folder');
}

async function checkTemplates(
  { db }: AdminDeps,
  options: Options,
  checkOptions: EngineCheckOptions,
): Promise<EngineCheck> {
  const objects = openObjects(loadStorageConfig(), checkOptions.logger);
  try {
    const cases: readonly Case[] = await findTemplateCases({
      db,
      objects,
      loadAssets: createAssetLoader(db, objects, assetCacheBytes),
      templates: createTemplateCache(objects, templateCacheBytes),
      goldenFolder: options.has('golden') ? readPath(options, 'golden') : undefined,
      storesGolden: options.has('store-golden'),
      usesRealData: options.has('allow-real-data'),
    });
    return await runEngineCheck(cases, checkOptions);
  } finally {
    await objects.close();
  }
}

/** Pins templates whose pages differ to the old engine. Returns their ids. */
async function pinDifferences({ db }: AdminDeps, { results, oldVersion }: EngineCheck): Promise<readonly string[]> {
  const differing = results.flatMap(({ outcome, templateId }) =>
    outcome === 'different' && templateId !== undefined ? [templateId] : [],
  );
  const pinned = [...new Set(differing)];
  for (const templateId of pinned) await pinTemplate(db, { templateId, engine: oldVersion });
  return pinned;
}
