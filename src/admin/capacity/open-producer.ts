import type { WorkerConfig } from '../../shared/config/load-config.ts';
import type { Database } from '../../shared/db/client.ts';
import { findDictionary } from '../../shared/domain/dictionaries/find-dictionary.ts';
import { engineVersionOf } from '../../shared/engine-version.ts';
import type { Logger } from '../../shared/logger.ts';
import type { ObjectStore } from '../../shared/storage/objects.ts';
import { earlierSyntax } from '../../shared/template-syntax.ts';
import { required } from '../../worker/deps.ts';
import {
  type AccountFonts,
  createFontLoader,
  embedFonts,
  listAccountFonts,
} from '../../worker/documents/account-fonts.ts';
import { createAssetLoader } from '../../worker/documents/load-assets.ts';
import { currentIncludesLoader } from '../../worker/documents/load-includes.ts';
import { toWordBytes } from '../../worker/documents/load-words.ts';
import { createTemplateCache } from '../../worker/documents/template-cache.ts';
import { closeEngines, startEngines } from '../../worker/engines.ts';
import { normalizePdf } from '../../worker/pdf/normalize/normalize-pdf.ts';
import { listInstalledFonts } from '../../worker/pdf/office/installed-fonts.ts';
import { RefreshLost } from '../../worker/pdf/office/office-error.ts';
import type { ConvertResult } from '../../worker/pdf/office/office-pool.ts';
import type { Sample } from './find-samples.ts';

export type Format = 'docx' | 'pdf';

/** A document that was produced and discarded. */
export interface ProducedDocument {
  readonly bytes: number;
  readonly dataBytes: number;
  /** Null for a .docx. */
  readonly pages: number | null;
  readonly renderMs: number;
  readonly convertMs: number;
}

export interface ProduceRequest {
  readonly sample: Sample;
  readonly format: Format;
  /** The index into the golden data, which wraps around. */
  readonly turn: number;
  /** Engines are shared fairly among callers, as a worker shares them among accounts. */
  readonly caller: number;
}

/** The engines of a worker on this machine, with the account's pictures and fonts. */
export interface Producer {
  /** Fills the template and converts the document exactly as a worker does. Throws the same `AppError`s. */
  produce(request: ProduceRequest): Promise<ProducedDocument>;
  /** The version of LibreOffice, such as 25.2; undefined when the format does not need it. */
  readonly engine: string | undefined;
  readonly jail: string | undefined;
  close(): Promise<void>;
}

interface ProducerOptions {
  readonly accountId: string;
  readonly config: WorkerConfig;
  readonly db: Database;
  readonly objects: ObjectStore;
  readonly logger: Logger;
  /** Aborts the start of LibreOffice. */
  readonly signal: AbortSignal;
}

const megabyte = 1024 * 1024;
/** The date of all documents, so that each run does the same work. */
const date = new Date('2026-01-15T12:00:00Z');
const localDate = '2026-01-15T12:00:00';

/** Starts the engines that the queues of `config` need. Throws when LibreOffice does not start. */
export async function openProducer({
  accountId,
  config,
  db,
  objects,
  logger,
  signal,
}: ProducerOptions): Promise<Producer> {
  const templates = createTemplateCache(objects, config.TEMPLATE_CACHE_MB * megabyte);
  const loadAssets = createAssetLoader(db, objects, config.ASSET_CACHE_MB * megabyte);
  const loadFont = createFontLoader(objects, config.FONT_CACHE_MB * megabyte);
  const accountFonts: AccountFonts = await listAccountFonts(db, accountId);
  const dictionary = await findDictionary(db, accountId);
  const accountWords = dictionary && toWordBytes(dictionary.words);
  const examples = new Map<string, Uint8Array>();
  const unsafeRefreshes = new Set<string>();
  const installed = await listInstalledFonts(config.OFFICE_PATH);
  const engines = await startEngines(config, logger, signal);
  const docx = required(engines.docx, 'docx');
  const status = engines.office?.status();

  const dataOf = async ({ template: { id, syntax }, golden }: Sample, template: Uint8Array, turn: number) => {
    const given = golden[turn % Math.max(1, golden.length)] ?? examples.get(id);
    if (given !== undefined) return given;
    const loadIncludes = currentIncludesLoader({ db, templates }, accountId);
    const reading = { account: accountId, syntax: syntax ?? earlierSyntax, loadIncludes };
    const { example } = await docx.inspect(template, reading);
    const data = Buffer.from(JSON.stringify(example));
    examples.set(id, data);
    return data;
  };
  const convert = async (
    templateKey: string,
    file: Uint8Array,
    fonts: Embedded,
    caller: number,
  ): Promise<ConvertResult> => {
    const office = required(engines.office, 'office');
    const request = { account: `caller ${caller}`, templateKey, docx: file, fonts, localDate };
    try {
      return await office.convert({ ...request, refresh: !unsafeRefreshes.has(templateKey) });
    } catch (error) {
      if (!(error instanceof RefreshLost)) throw error;
      unsafeRefreshes.add(templateKey);
      return await office.convert({ ...request, refresh: false });
    }
  };
  return {
    engine: status?.engine === undefined ? undefined : engineVersionOf(status.engine.version),
    jail: status?.jail,
    async produce({ sample, format, turn, caller }) {
      const { objectKey, checksum, syntax } = sample.template;
      const template = await templates.load(objectKey, checksum);
      const data = await dataOf(sample, template, turn);
      const rendered = await docx.render({
        account: `caller ${caller}`,
        templateKey: objectKey,
        template,
        data,
        target: format,
        options: { documentDate: date.toISOString(), syntax: syntax ?? earlierSyntax },
        fonts: installed?.coverage,
        accountFonts: format === 'pdf' ? accountFonts.families : undefined,
        loadAssets: (names) => loadAssets(accountId, names),
        loadIncludes: currentIncludesLoader({ db, templates }, accountId),
        accountWords,
      });
      const { renderMs } = rendered;
      const dataBytes = data.length;
      if (format === 'docx') return { bytes: rendered.docx.length, dataBytes, pages: null, renderMs, convertMs: 0 };
      const document = await embedFonts(loadFont, accountFonts, rendered);
      const { pdf, pages, convertMs } = await convert(objectKey, document.docx, document.fonts, caller);
      return { bytes: normalizePdf(pdf, date).length, dataBytes, pages, renderMs, convertMs };
    },
    close: () => closeEngines(engines),
  };
}

type Embedded = Awaited<ReturnType<typeof embedFonts>>['fonts'];
