// Uses the installed package as plain JavaScript: DOCMILL_URL, DOCMILL_API_KEY and TEMPLATE name a service. Prints one
// line of JSON.
import { Docmill, NotFoundError, verifyWebhook, WebhookVerificationError } from '@docmill/client';

const docmill = new Docmill();
const { id } = await docmill.templates.find(process.env.TEMPLATE);

const document = await docmill.templates.generate(id, { name: 'Ada' }, { format: 'pdf' });
const start = new TextDecoder().decode((await document.bytes()).subarray(0, 5));

let streamed = 0;
const { stream } = await docmill.templates.generate(id, { name: 'Ada' });
for await (const chunk of stream) streamed += chunk.length;

async function* people() {
  for (const name of ['Ada', 'Grace', 'Joan']) yield { name };
}
const batch = await docmill.batches.create(id, people());
const { counts } = await batch.wait({ signal: AbortSignal.timeout(300_000) });
const rows = [];
for await (const { row } of docmill.batches.rows(batch.id, { limit: 2 })) rows.push(row);

const missing = await docmill.jobs.get('doc_00000000000000000000000000').catch((error) => error);
const headers = {
  'webhook-id': 'a',
  'webhook-timestamp': `${Math.floor(Date.now() / 1000)}`,
  'webhook-signature': 'v1,AAAA',
};
const forged = await verifyWebhook({ headers, body: '{}', secret: 'whsec_AAAA' }).catch((error) => error);

console.log(
  JSON.stringify({
    start,
    isStreamed: streamed > 1_000,
    succeeded: counts.succeeded,
    rows,
    isMissing: missing instanceof NotFoundError,
    isForged: forged instanceof WebhookVerificationError,
  }),
);
