import { relative } from 'node:path';
import type { ReadyStack } from '../local/start-stack.ts';
import type { Made } from './make-documents.ts';

export function summarise(stack: ReadyStack, made: Made): string {
  return `
  Service    ${stack.url}   (reference: ${stack.url}/docs)
  Console    ${stack.url}/console/#key=${stack.apiKey}
  Gallery    ${stack.url}/console/templates/gallery#key=${stack.apiKey}
  API key    ${stack.apiKey}
  Account    ${stack.accountId}
  Documents  ${here(made.docx)}  ${here(made.pdf)}
  Mail       ${here(made.mail)}
  Metrics    ${stack.metricsUrls.join('  ')}
  Data       ${here(stack.localDir)}   logs: ${here(stack.logsDir)}
`;
}

/** Commands to paste into another terminal while the stack runs. */
export function curlLines(stack: ReadyStack, made: Made): string {
  const key = `-H "Authorization: Bearer $KEY"`;
  const generate = `curl -sS ${key} -H 'Content-Type: application/json' $URL/v1/templates/$ID/generate`;
  const body = (output: string): string => `-d "{\\"data\\": $(cat examples/invoice.json), \\"output\\": ${output}}"`;
  return `
Paste into another terminal, in this folder:

  URL=${stack.url} KEY=${stack.apiKey} ID=${made.templateId}

  # the templates of the account
  curl -sS ${key} $URL/v1/templates

  # another template; the same command again adds a version
  curl -sS -X PUT ${key} -F name=letter.docx -F file=@examples/letter.docx $URL/v1/templates

  # a document
  ${generate} \\
    ${body('{\\"format\\": \\"docx\\"}')} -o out/mine.docx

  # the same as PDF
  ${generate} \\
    ${body('{\\"format\\": \\"pdf\\"}')} -o out/mine.pdf

  # the same by e-mail; it arrives as a file in ${here(stack.mailDir)}
  ${generate} \\
    ${body('{\\"format\\": \\"pdf\\", \\"email\\": {\\"to\\": [\\"you@example.com\\"]}}')} -o out/mailed.pdf

  # the account's quotas
  curl -sS ${key} $URL/v1/account/quotas

  # the operator's command (docs/reference/admin.md)
  export ${operatorVariables(stack)}
  npm run --silent admin -- show-account --account ${stack.accountId} --json
  npm run --silent admin -- queues --json
`;
}

/** The variables with which the operator command finds the database, the queues and the store. */
function operatorVariables({ env }: ReadyStack): string {
  const store = ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];
  return ['DATABASE_URL', 'REDIS_URL', 'QUEUE_PREFIX', ...store]
    .flatMap((name) => (env[name] === undefined ? [] : [`${name}='${env[name]}'`]))
    .join(' \\\n    ');
}

/** The path relative to the current folder, if it is inside that folder. */
function here(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
}
