import { documentOf } from '../harness/documents.ts';
import type { Figure } from '../harness/report.ts';
import { startServiceStack } from '../harness/stack.ts';
import { compare, type Turnouts } from './compare.ts';
import { figuresOf } from './figures.ts';
import type { HttpPlan } from './plan.ts';

export interface HttpFindings {
  /** By format and document. */
  readonly turnouts: ReadonlyMap<string, Turnouts>;
  readonly figures: readonly Figure[];
}

/** Every document in every format asked for, one after the other, against one stack. */
export async function measureHttp(
  plan: HttpPlan,
  options: { readonly factories: number; readonly folder: string },
): Promise<HttpFindings> {
  const turnouts = new Map<string, Turnouts>();
  const figures: Figure[] = [];
  const stack = await startServiceStack({ OFFICE_SLOTS: String(options.factories) });
  try {
    const apiKey = await stack.openAccount();
    for (const format of plan.formats) {
      for (const rows of plan.rows) {
        const document = documentOf(plan.example, rows);
        const templateId = await stack.upload(apiKey, `${plan.example}-${rows}.docx`, document.template);
        const name = `${format}, ${plan.example} of ${rows} rows`;
        process.stderr.write(`${name}\n`);
        const found = await compare(stack, { apiKey, templateId }, document, plan, format, options);
        turnouts.set(name, found);
        figures.push(...figuresOf(found, document, plan, format));
      }
    }
    return { turnouts, figures };
  } finally {
    await stack.close();
  }
}
