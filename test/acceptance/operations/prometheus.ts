import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Prometheus {
  query(expression: string): Promise<readonly Sample[]>;
  /** Every rule and whether Prometheus could evaluate it; `unknown` before the first time. */
  rules(): Promise<readonly { readonly name: string; readonly health: string }[]>;
  stop(): Promise<void>;
}

/** Starts Prometheus with the rules on a free port. It reads the metrics of the API, then those of the workers, every three seconds. */
export async function startPrometheus(
  parent: string,
  rulesFile: string,
  [api = '', ...workers]: readonly string[],
): Promise<Prometheus> {
  const folder = mkdtempSync(join(parent, 'prometheus-'));
  const scrape = (job: string, urls: readonly string[]) => ({
    job_name: job,
    static_configs: [{ targets: urls.map((url) => new URL(url).host) }],
  });
  const config = {
    global: { scrape_interval: '3s', scrape_timeout: '3s', evaluation_interval: '3s' },
    rule_files: [rulesFile],
    scrape_configs: [scrape('docmill-api', [api]), scrape('docmill-worker', workers)],
  };
  const configFile = join(folder, 'prometheus.json');
  writeFileSync(configFile, JSON.stringify(config));
  const args = [
    `--config.file=${configFile}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    '--web.listen-address=127.0.0.1:0',
  ];
  const child = spawn('prometheus', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  const url = `http://${await listeningAt(child.stderr)}/api/v1`;
  const get = async <Data>(path: string): Promise<Data> =>
    ((await (await fetch(`${url}${path}`)).json()) as { data: Data }).data;
  return {
    async query(expression) {
      interface Result {
        readonly metric: Record<string, string>;
        readonly value: readonly [number, string];
      }
      const { result } = await get<{ result: readonly Result[] }>(`/query?query=${encodeURIComponent(expression)}`);
      return result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
    },
    async rules() {
      const { groups } = await get<{ groups: { rules: { name: string; health: string }[] }[] }>('/rules');
      return groups.flatMap(({ rules }) => rules.map(({ name, health }) => ({ name, health })));
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
}

/** The address that Prometheus chose. */
async function listeningAt(log: Readable): Promise<string> {
  for await (const line of createInterface(log)) {
    const address = /msg="Listening on" address=(\S+)/.exec(line)?.[1];
    if (address === undefined) continue;
    log.resume();
    return address;
  }
  throw new Error('Prometheus ended before it listened');
}
