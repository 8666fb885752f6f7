import { hash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { acceptDocument } from '../../../../src/shared/domain/documents/accept-document.ts';
import { findOwnDocument } from '../../../../src/shared/domain/documents/find-documents.ts';
import { createTemplate } from '../../../../src/shared/domain/templates/create-template.ts';
import { findLayoutState } from '../../../../src/shared/domain/templates/layout-proofs.ts';
import type { PdfOptions } from '../../../../src/shared/output-options.ts';
import { createFontRegistry } from '../../../../src/shared/storage/font-registry.ts';
import type { WorkerDeps } from '../../../../src/worker/deps.ts';
import { type DirectLayout, openDirectLayout } from '../../../../src/worker/direct-pdf/open-direct-layout.ts';
import { proveNext } from '../../../../src/worker/direct-pdf/prove-next.ts';
import { startRun } from '../../../../src/worker/job-run.ts';
import { createDirectPool, type DirectPoolOptions } from '../../../../src/worker/pdf/direct-process/direct-pool.ts';
import { processDocument } from '../../../../src/worker/processors/document.ts';
import { watchFonts } from '../../../../src/worker/watch-fonts.ts';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import { documentRequest, newAccount, templateInput } from '../../../support/domain/accounts.ts';
import { testFonts } from '../../../support/fonts.ts';
import { useOwnDatabase } from '../../../support/services/database.ts';
import { silent } from '../../../support/services/redis.ts';
import { newWorkerDeps } from '../../../support/services/worker-deps.ts';
import { newDocxPool, poolForTest } from '../office/pool-for-test.ts';

const { db, url } = await useOwnDatabase();
const timeoutMs = 480_000;

const letter = buildDocx({
  body: paragraph('Dear {name}') + paragraph('{text}') + paragraph('{#items}{label} {/items}') + paragraph('Yours'),
});

async function newWorker() {
  const deps = await newWorkerDeps(db, url, { DIRECT_PDF: 'on', RENDER_PROCESSES: '1' });
  const docx = newDocxPool();
  onTestFinished(() => docx.close());
  const office = await poolForTest();
  const fonts = await watchFonts(createFontRegistry(deps.redis, deps.config.QUEUE_PREFIX), silent);
  onTestFinished(() => fonts.stop());
  const opened = await openDirectLayout(deps.config, fonts, silent);
  if (opened === undefined) throw new Error('direct layout is off');
  onTestFinished(() => opened.close());
  const direct = await withPool(opened);
  return { deps: { ...deps, docx, office: office.pool, fonts, direct } satisfies WorkerDeps, direct };
}

async function upload(deps: WorkerDeps, bytes: Buffer) {
  const { accountId } = await newAccount(db, { templates: 10, docs: 100 });
  const checksum = hash('sha256', bytes, 'hex');
  const objectKey = `templates/${accountId}/${checksum}`;
  await deps.objects.put(objectKey, bytes, 'application/octet-stream');
  const report = await deps.docx?.inspect(bytes);
  const content = { objectKey, checksum, sizeBytes: bytes.length, schema: report?.schema, example: report?.example };
  const { id: templateId } = await createTemplate(db, templateInput(accountId, content));
  return { accountId, templateId };
}

type Template = Awaited<ReturnType<typeof upload>>;

/** Makes a PDF as a worker does. Returns the engine that made it, and the digest of the file. */
async function generate(
  deps: WorkerDeps,
  { accountId, templateId }: Template,
  data: object,
  pdfOptions: PdfOptions | null = null,
) {
  const body = Buffer.from(JSON.stringify(data));
  const request = documentRequest(templateId, {
    dataChecksum: hash('sha256', body, 'hex'),
    format: 'pdf',
    pdfOptions,
  });
  await acceptDocument(db, accountId, request);
  await deps.transient.put('data', request.id, body, 3_600);
  await processDocument(deps, startRun(deps), { documentId: request.id, replyTo: null });
  const document = await findOwnDocument(db, accountId, request.id);
  if (document.error !== undefined) throw new Error(document.error.message);
  const { engine, result } = document;
  return { id: request.id, engine: engine?.name, reasons: engine?.reasons, checksum: result?.checksum };
}

const ada = { name: 'Ada', text: 'We thank you for your order. '.repeat(30), items: [{ label: 'one' }] };

/** With time for every document, however busy the machine is. */
async function withPool(direct: DirectLayout, options: Partial<DirectPoolOptions> = {}): Promise<DirectLayout> {
  const pool = await createDirectPool({ processes: 1, logger: silent, timeLimitMs: 240_000, ...options });
  onTestFinished(() => pool.close());
  return { ...direct, pool };
}

/** Prints all text in another font. */
const otherFont = `<?xml version="1.0"?><fontconfig><include>${testFonts}</include><match target="pattern">
  <edit name="family" mode="assign" binding="strong"><string>DejaVu Sans</string></edit></match></fontconfig>`;

/** Expects a template that differs or has an unknown feature to stay with LibreOffice, for these reasons. */
async function expectOffice(deps: WorkerDeps & { readonly direct: DirectLayout }, bytes: Buffer, reasons: unknown[]) {
  const template = await upload(deps, bytes);
  await generate(deps, template, ada);
  await proveNext(deps, deps.direct);
  const state = await findLayoutState(db, template.templateId, 1);
  expect(state).toMatchObject({ state: 'office', reasons });
  expect(await generate(deps, template, ada)).toMatchObject({ engine: 'LibreOffice', reasons: [reasons[0]] });
}

test(
  'a proven template is laid out directly, until a page check finds a difference',
  async () => {
    const { deps, direct } = await newWorker();
    const broken = await withPool(direct, { fontSettings: otherFont });
    const difference = expect.stringMatching(/^With the example data, page 1 differs .* \(text: /);
    await expectOffice({ ...deps, direct: broken }, letter, [difference]);
    const framed = '<w:p><w:pPr><w:framePr/><w:mirrorIndents/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>';
    const conditional = `${paragraph('{#text}')}<w:p><w:r><w:sym/></w:r></w:p>${paragraph('{/text}')}`;
    const unknown = buildDocx({
      body: `${paragraph('{name}')}${framed}${conditional}<w:customXml/>`,
      headers: [framed],
    });
    const features = [
      'a paragraph in a frame (w:framePr)',
      'mirrored indents (w:mirrorIndents)',
      'a symbol of the Symbol dialog (w:sym)',
      'custom XML around text (w:customXml)',
    ];
    await expectOffice(
      deps,
      unknown,
      features.map((feature) => `Not laid out directly: ${feature}.`),
    );

    const template = await upload(deps, letter);
    const stateOf = () => findLayoutState(db, template.templateId, 1);
    const waiting = { engine: 'LibreOffice', reasons: ['Its pages are being compared.'] };
    expect(await generate(deps, template, ada)).toMatchObject(waiting);
    expect(await stateOf()).toMatchObject({ state: 'waiting' });
    expect(await proveNext(deps, direct)).toBe(true);
    expect(await proveNext(deps, direct)).toBe(false);
    expect(await stateOf()).toMatchObject({ state: 'direct', reasons: [] });

    const made = await generate(deps, template, ada);
    expect(made).toMatchObject({ engine: 'Docmill', reasons: undefined });
    expect(await generate(deps, template, ada)).toMatchObject({ engine: 'Docmill', checksum: made.checksum });
    await direct.pageChecks.idle();
    expect(await stateOf()).toMatchObject({ state: 'direct' });

    // If the request, the text or a limit does not allow direct layout, LibreOffice makes the PDF in the same job.
    for (const [data, options, reason] of [
      [ada, { engine: 'office' }, /asks for LibreOffice/],
      [ada, { watermark: 'مسودة' }, /^Not laid out directly: a watermark in another script\.$/],
      [{ ...ada, name: 'عائشة' }, null, /not in Latin/],
    ] as const) {
      const expected = { engine: 'LibreOffice', reasons: [expect.stringMatching(reason)] };
      expect(await generate(deps, template, data, options)).toMatchObject(expected);
    }
    const hasty = { ...deps, direct: await withPool(direct, { timeLimitMs: 1 }) };
    expect(await generate(hasty, template, ada)).toMatchObject({ engine: 'LibreOffice' });

    const differing = await generate({ ...deps, direct: broken }, template, ada);
    expect(differing.engine).toBe('Docmill');
    await direct.pageChecks.idle();
    expect(await stateOf()).toMatchObject({
      state: 'office',
      documentId: differing.id,
      reasons: [expect.stringContaining("differs from LibreOffice's: page 1")],
      differences: [{ measure: 'text', page: 1 }],
    });
    expect(await generate({ ...deps, direct: broken }, template, ada)).toMatchObject({ engine: 'LibreOffice' });
  },
  timeoutMs,
);
