import { DocumentProblem } from '../preview/previewer.ts';
import type { TemplateFile } from './project.ts';
import type { TestResult } from './results.ts';

/** The service's templates, for the comparison of schemas. */
export interface DeployedTemplates {
  /** The id of the template for this file; undefined if there is none. */
  findId(file: string): Promise<string | undefined>;
  /**
   * The fields that the file removes, retypes or newly requires. Throws `DocumentProblem` if it is not a valid
   * template.
   */
  schemaBreaks(templateId: string, file: Uint8Array): Promise<readonly string[]>;
}

/** Compares the fields of a template file with those of the deployed template. */
export async function checkSchema(
  template: TemplateFile,
  readTemplate: (path: string) => Promise<Uint8Array>,
  deployed: DeployedTemplates,
): Promise<TestResult> {
  const startedAt = performance.now();
  const fileName = `${template.name}.docx`;
  const result = (outcome: Pick<TestResult, 'status'> & Partial<TestResult>): TestResult => ({
    template: template.name,
    name: 'schema',
    differences: [],
    pictures: [],
    durationMs: Math.round(performance.now() - startedAt),
    ...outcome,
  });
  const id = await deployed.findId(fileName);
  if (id === undefined) return result({ status: 'skipped', note: `${fileName} is not deployed` });
  try {
    const breaks = await deployed.schemaBreaks(id, await readTemplate(template.path));
    const differences = breaks.map((message) => ({ message }));
    return result({ status: breaks.length === 0 ? 'passed' : 'failed', differences });
  } catch (error) {
    if (!(error instanceof DocumentProblem)) throw error;
    return result({ status: 'failed', differences: error.messages.map((message) => ({ message })) });
  }
}
