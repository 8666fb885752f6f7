import { type ExecFileException, execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';

const { url, apiKey } = inject('stack');

function run(program: string, words: readonly string[], env: NodeJS.ProcessEnv) {
  return new Promise<{ status: ExecFileException['code']; stdout: string; stderr: string }>((resolve) => {
    execFile(program, words, { env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ status: error?.code ?? 0, stdout, stderr }),
    );
  });
}
const smoke = (key: string) => run('deploy/smoke', [url], { DOCMILL_API_KEY: key });

test('the smoke test generates a .docx and a PDF, and leaves no template behind', async () => {
  const { status, stdout, stderr } = await smoke(apiKey);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout.trim().split('\n')).toEqual([
    `${url} is ready`,
    'a template was uploaded',
    expect.stringMatching(/^a docx file of \d{4,} bytes was generated$/),
    expect.stringMatching(/^a pdf file of \d{4,} bytes was generated$/),
  ]);
  const headers = { authorization: `Bearer ${apiKey}` };
  const left = await fetch(`${url}/v1/templates?name=smoke-test.docx`, { headers });
  expect(await left.json()).toEqual([]);
});

test('the smoke test prints the response of the API when a key is wrong', async () => {
  const { status, stderr } = await smoke('dm_wrong');
  expect(status).toBe(1);
  expect(stderr).toMatch(/error: uploading examples\/invoice\.docx failed: \{.*"status":401/);
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docmill-check-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `deploy/check` on the common stack, with a program in the place of Docker that records its arguments. */
async function checkImages(failsAt = 'nothing') {
  const calls = join(folder, 'calls');
  const answers = `
    [ "$2" = version ] || echo "$*" >> "$CALLS"
    echo "$SECRETS_DIR" > "$CALLS.secrets"
    case "$*" in
      *"${failsAt}"*) exit 1 ;;
      *create-account*) [ -s "$SECRETS_DIR/redis_url" ] && echo '{"accountId":"acc_1","name":"Check"}' ;;
      *create-key*) echo "{\\"keyId\\":\\"key_1\\",\\"apiKey\\":\\"$KEY_OF_STACK\\"}" ;;
    esac`;
  writeFileSync(join(folder, 'docker'), `#!/bin/bash${answers}\n`);
  chmodSync(join(folder, 'docker'), 0o755);
  const here = {
    PATH: `${folder}:${process.env.PATH}`,
    CALLS: calls,
    KEY_OF_STACK: apiKey,
    CHECK_PORT: new URL(url).port,
  };
  const { status, stdout } = await run('deploy/check', [], here);
  const areSecretsLeft = existsSync(readFileSync(`${calls}.secrets`, 'utf8').trim());
  return { status, stdout, areSecretsLeft, calls: readFileSync(calls, 'utf8').trim().split('\n') };
}

test('the check of the images starts the compose file, generates documents, makes a backup and removes everything', async () => {
  const { status, stdout, areSecretsLeft, calls } = await checkImages();
  expect({ status, areSecretsLeft }).toEqual({ status: 0, areSecretsLeft: false });
  expect(stdout).toContain('a pdf file of ');
  expect(calls).toEqual([
    'compose --profile * build',
    expect.stringMatching(/^compose --profile mail-catcher up --detach --wait /),
    'compose run --rm -T admin create-account --name Check of the images --json',
    expect.stringMatching(/admin set-subscription --account acc_1 /),
    'compose run --rm -T admin create-key --account acc_1 --json',
    'compose run --rm -T backup',
    'compose --profile * down --volumes --remove-orphans',
  ]);
});

test('the check of the images fails with the logs and removes everything when a service does not start', async () => {
  const { status, areSecretsLeft, calls } = await checkImages(' up ');
  expect({ status, areSecretsLeft }).toEqual({ status: 1, areSecretsLeft: false });
  expect(calls.slice(-2)).toEqual([
    'compose --profile * logs --no-color --tail 100',
    'compose --profile * down --volumes --remove-orphans',
  ]);
});
