import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Docmill } from '@docmill/client';
import pg from 'pg';
import PizZip from 'pizzip';
import type { ReadyStack } from '../../local/start-stack.ts';

export interface FilledAccount {
  /** Template ids by the name of the example. */
  readonly templates: Readonly<Record<Example, string>>;
  /** A document that was generated, stored, mailed and reported to a webhook. */
  readonly documentId: string;
  /** A letter with errors in its tags. */
  readonly brokenLetter: Buffer<ArrayBuffer>;
  /** A CSV file with a row for each certificate. */
  readonly participants: string;
}

const examples = ['report', 'contract', 'certificate', 'letter', 'invoice'] as const;
type Example = (typeof examples)[number];

const firstNames = ['Saoirse', 'Aoife', 'Ciarán', 'Niamh', 'Oisín', 'Róisín', 'Cormac', 'Maeve', 'Eoin', 'Clíona'];
const lastNames = ['Doyle', 'Kavanagh', 'O’Sullivan', 'Byrne', 'Walsh', 'Nolan', 'Fitzgerald', 'Keane', 'Brennan'];
const customers = ['Brightwater Architects', 'Harbour Offices', 'St Columba’s School', 'Kilkenny Library'];
const words = {
  de: {
    invoice: 'Rechnung',
    'due-date': 'Fällig am',
    subtotal: 'Zwischensumme',
    total: 'Gesamtbetrag',
    'thank-you': 'Vielen Dank',
  },
  en: { invoice: 'Invoice', 'due-date': 'Due date', subtotal: 'Subtotal', total: 'Total', 'thank-you': 'Thank you' },
  fr: { invoice: 'Facture', 'due-date': 'Échéance', subtotal: 'Sous-total', total: 'Total' },
  ga: { invoice: 'Sonrasc', 'due-date': 'Dáta dlite', total: 'Iomlán', 'thank-you': 'Go raibh maith agat' },
};
const pastDays = 29;

/** Fills an account as a workshop would within a month. */
export async function fillAccount({ url, apiKey, accountId, env }: ReadyStack): Promise<FilledAccount> {
  const docmill = new Docmill({ baseUrl: url, apiKey });
  const templates = await uploadExamples(docmill);
  await writePastUsage(env.DATABASE_URL ?? '', accountId, templates);
  const receiver = createServer((_request, response) => void response.writeHead(204).end());
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
  receiver.unref();
  await docmill.webhooks.create({
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/documents`,
    description: 'Archive of the workshop',
    events: ['document.succeeded', 'document.failed'],
  });
  await docmill.dictionary.put(words);
  await docmill.assets.upload('logo.png', await readFile('tools/pictures/logo.png'));
  const invoice = await exampleData('invoice');
  for (const [index, customer] of customers.entries()) {
    const data = { ...invoice, customer: { ...(invoice.customer as object), name: `${customer} Ltd` } };
    await make(docmill, templates.invoice, data, { filename: `Invoice 2026-04${11 + index}.pdf` });
  }
  await make(docmill, templates.contract, await exampleData('contract'), { filename: 'Agreement LW-A-2026-031.pdf' });
  await make(docmill, templates.letter, await exampleData('letter'), { format: 'docx' });
  await make(docmill, templates.letter, { date: '9 March 2026' }, { onMissing: 'error' }).catch(() => undefined);
  await make(docmill, templates.report, await exampleData('report'), { filename: 'Progress report Q1.pdf' });
  const { id } = await docmill.templates.start(templates.invoice, invoice, {
    format: 'pdf',
    filename: 'Invoice 2026-0417.pdf',
    email: { to: ['accounts@brightwater.example'], subject: 'Your invoice 2026-0417' },
  });
  await docmill.jobs.wait(id);
  const brokenLetter = await changed('letter', [
    ['{recipient.name}', '{recipient.name'],
    ['{date}', '{date | longdate}'],
    ['{/enclosures}', '{/enclosure}'],
  ]);
  return { templates, documentId: id, brokenLetter, participants: participants(300) };
}

async function uploadExamples(docmill: Docmill): Promise<Readonly<Record<Example, string>>> {
  const ids = new Map<string, string>();
  for (const example of examples) {
    const file = await readFile(`examples/${example}.docx`);
    const { id } = await docmill.templates.upload(`${example}.docx`, file);
    ids.set(example, id);
  }
  const id = ids.get('certificate') ?? '';
  const second = await changed('certificate', [
    ['Certificate of Completion', 'Certificate of Achievement'],
    ['{course.hours} hours, {course.start} to {course.end}', '{course.hours} hours in {course.place}'],
  ]);
  await docmill.templates.replace(id, 'certificate.docx', second);
  return Object.fromEntries(ids) as Record<Example, string>;
}

async function exampleData(example: Example): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(`examples/${example}.json`, 'utf8')) as Record<string, unknown>;
}

async function make(docmill: Docmill, id: string, data: object, options: object): Promise<void> {
  const document = await docmill.templates.generate(id, data, { format: 'pdf', ...options });
  await document.bytes();
}

/** A copy of an example with some words in its body replaced. */
async function changed(
  example: Example,
  changes: readonly (readonly [string, string])[],
): Promise<Buffer<ArrayBuffer>> {
  const zip = new PizZip(await readFile(`examples/${example}.docx`));
  let body = zip.file('word/document.xml')?.asText() ?? '';
  for (const [before, after] of changes) {
    if (!body.includes(before)) throw new Error(`examples/${example}.docx does not contain ${before}`);
    body = body.replace(before, after);
  }
  zip.file('word/document.xml', body);
  return Buffer.from(zip.generate({ type: 'arraybuffer', compression: 'DEFLATE' }));
}

function participants(count: number): string {
  const rows = Array.from({ length: count }, (_, index) => {
    const name = `${firstNames[index % firstNames.length]} ${lastNames[(index * 7) % lastNames.length]}`;
    return [name, 'Galway', `LWA-2026-${String(index + 1).padStart(4, '0')}`, 'Surface Finishing', '40'].join(',');
  });
  return ['participant.name,participant.birthPlace,certificate.number,course.title,course.hours', ...rows].join('\r\n');
}

/** Writes the totals of past days instead of simulating a month of work. */
async function writePastUsage(databaseUrl: string, accountId: string, templates: FilledAccount['templates']) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (let ago = pastDays; ago >= 1; ago -= 1) {
      const date = new Date(Date.now() - ago * 86_400_000);
      const day = date.toISOString().slice(0, 10);
      const isWeekend = date.getUTCDay() % 6 === 0;
      const amounts = Object.values(templates).map((id, index) => {
        const documents = Math.round((isWeekend ? 4 : 36) * (1 + index) * (1 + 0.4 * Math.sin(ago * 1.7 + index)));
        return { id, documents, failures: ago % 6 === index ? 3 : 0 };
      });
      const sum = (key: 'documents' | 'failures') => amounts.reduce((total, amount) => total + amount[key], 0);
      for (const { id, documents, failures } of [
        ...amounts,
        { id: '', documents: sum('documents'), failures: sum('failures') },
      ]) {
        await client.query(
          `insert into usage_days (account_id, day, template_id, key_id, documents, pages, bytes, failures, cancelled)
            values ($1, $2, $3, '', $4, $5, $6, $7, 0)`,
          [accountId, day, id, documents, documents * 2, documents * 60_000, failures],
        );
      }
    }
  } finally {
    await client.end();
  }
}
