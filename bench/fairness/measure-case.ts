import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { projectFolder } from '../harness/machine.ts';
import { withOtherLoad } from '../harness/other-load.ts';
import { startServiceStack, uploadTemplate } from '../harness/stack.ts';
import { type LoadReport, prepareLoad } from './load.ts';
import { type CallPlan, type Calls, type Format, measureCalls } from './measure-calls.ts';
import { type ScenarioName, scenarios } from './scenarios.ts';

export interface Case {
  readonly scenario: ScenarioName;
  /** The number of concurrent requests of the busy account. */
  readonly parallel: number;
}

/** The other account's calls before, during and after the load of the busy one. */
export interface CaseResult extends Case {
  readonly alone: Readonly<Record<Format, Calls>>;
  readonly beside: Readonly<Record<Format, Calls>>;
  readonly after: Readonly<Record<Format, Calls>>;
  readonly load: LoadReport;
  /** The share of the machine used by other programs, from 0 to 1. */
  readonly foreignShare: number;
}

/** One worker with two slots and the default time limits. */
const settings = { RENDER_PROCESSES: '2', OFFICE_SLOTS: '2' };
const pauseAfterMs = 2_000;

/** Measures a case on its own service, so that it starts without a backlog. */
export async function measureCase({ scenario, parallel }: Case, plan: CallPlan): Promise<CaseResult> {
  const stack = await startServiceStack(settings);
  try {
    const [busyKey = '', callerKey = ''] = await stack.openAccounts(2);
    const { url } = stack;
    const letter = readFileSync(join(projectFolder, 'examples/letter.docx'));
    const caller = { url, apiKey: callerKey, templateId: await uploadTemplate(url, callerKey, 'letter.docx', letter) };
    const templateIds: string[] = [];
    for (const [index, file] of scenarios[scenario].templates().entries()) {
      templateIds.push(await uploadTemplate(url, busyKey, `template-${index}.docx`, file));
    }
    const load = await prepareLoad({ url, apiKey: busyKey, scenario, templateIds });
    await measureCalls(caller, { ...plan, calls: 10, atLeastMs: 0 });
    return await withOtherLoad(async () => {
      const alone = await measureCalls(caller, { ...plan, atLeastMs: 0 });
      await load.start(parallel);
      const beside = await measureCalls(caller, plan);
      const report = await load.stop();
      await delay(pauseAfterMs);
      const after = await measureCalls(caller, { ...plan, calls: Math.ceil(plan.calls / 2), atLeastMs: 0 });
      return { scenario, parallel, alone, beside, after, load: report };
    });
  } finally {
    await stack.close();
  }
}
