import type { Database } from '../../shared/db/client.ts';
import { findGoldenData } from '../../shared/domain/templates/golden-data.ts';
import { type LiveTemplate, listLiveTemplates } from '../../shared/domain/templates/live-templates.ts';
import { readUsage } from '../../shared/domain/usage/read-usage.ts';

/** The current version of a template, and the data to fill it with. */
export interface Sample {
  readonly template: LiveTemplate;
  /** The number of documents in the last 30 days. */
  readonly documents: number;
  /** Its golden data (JSON); empty when only example data can fill it. */
  readonly golden: readonly Uint8Array[];
}

/** A live template that is not measured, and the reason. */
export interface LeftOut {
  readonly templateId: string;
  readonly name: string;
  readonly documents: number;
  readonly reason: string;
}

interface Samples {
  readonly samples: readonly Sample[];
  readonly leftOut: readonly LeftOut[];
}

const maxTemplates = 50;
const maxGolden = 3;
/** The limit for all golden data together. */
const maxDataBytes = 128 * 1024 * 1024;
const pageSize = 500;
const maxUsed = 10_000;
const dayMs = 86_400_000;
const usageDays = 30;

/** The live templates of an account, the most used first, at most 50. */
export async function findSamples(db: Database, accountId: string): Promise<Samples> {
  const { groups } = await readUsage(db, { accountId, ...lastDays(), groupBy: 'template', limit: maxUsed });
  const used = new Map(groups.map(({ name, documents }) => [name, Math.max(0, documents)]));
  const found = (await listAll(db, accountId))
    .map((template) => ({ template, documents: used.get(template.id) ?? 0 }))
    .sort((a, b) => b.documents - a.documents);
  const leftOut = found
    .slice(maxTemplates)
    .map((one) => leaveOut(one, `only the ${maxTemplates} most used templates are measured`));
  const samples: Sample[] = [];
  let bytes = 0;
  for (const one of found.slice(0, maxTemplates)) {
    const golden = (await findGoldenData(db, one.template.id)).slice(0, maxGolden).map(({ data }) => data);
    bytes += golden.reduce((sum, { length }) => sum + length, 0);
    if (bytes <= maxDataBytes) samples.push({ ...one, golden });
    else leftOut.push(leaveOut(one, `the golden data of all templates exceed ${maxDataBytes / 1024 ** 2} MB`));
  }
  return { samples, leftOut };
}

export function leaveOut({ template, documents }: Omit<Sample, 'golden'>, reason: string): LeftOut {
  return { templateId: template.id, name: template.name, documents, reason };
}

async function listAll(db: Database, accountId: string): Promise<readonly LiveTemplate[]> {
  const all: LiveTemplate[] = [];
  for (;;) {
    const page = await listLiveTemplates(db, { account: accountId, after: all.at(-1)?.id ?? '', limit: pageSize });
    all.push(...page);
    if (page.length < pageSize) return all;
  }
}

/** The period in whole days (UTC), including today. */
function lastDays(): { readonly from: Date; readonly to: Date } {
  const tomorrowMs = (Math.floor(Date.now() / dayMs) + 1) * dayMs;
  return { from: new Date(tomorrowMs - usageDays * dayMs), to: new Date(tomorrowMs) };
}
