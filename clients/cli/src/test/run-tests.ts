import { readFile } from 'node:fs/promises';
import { mapConcurrently } from '../map-concurrently.ts';
import type { Previewer } from '../preview/previewer.ts';
import { checkSchema, type DeployedTemplates } from './check-schema.ts';
import type { Project } from './project.ts';
import type { TestResult } from './results.ts';
import { runCase } from './run-case.ts';

interface RunOptions {
  readonly previewer: Previewer;
  /** Undefined if schemas are not compared. */
  readonly deployed: DeployedTemplates | undefined;
  readonly isUpdating: boolean;
  readonly concurrency: number;
  readonly onResult: (result: TestResult) => void;
}

/**
 * Runs the cases of a project, a few at a time. Results keep the order of the project. The first service error ends the
 * run.
 */
export async function runTests(project: Project, options: RunOptions): Promise<readonly TestResult[]> {
  const { previewer, deployed, isUpdating, concurrency, onResult } = options;
  const readTemplate = createReader();
  const schemas = deployed === undefined ? [] : project.templates;
  const tasks: readonly (() => Promise<TestResult>)[] = [
    ...(deployed === undefined ? [] : schemas.map((one) => () => checkSchema(one, readTemplate, deployed))),
    ...project.cases.map((one) => () => runCase(one, { previewer, readTemplate, isUpdating })),
  ];
  return await mapConcurrently(tasks, concurrency, async (task) => {
    const result = await task();
    onResult(result);
    return result;
  });
}

/** Caches each template. */
function createReader(): (path: string) => Promise<Uint8Array> {
  const files = new Map<string, Promise<Uint8Array>>();
  return (path) => {
    const known = files.get(path) ?? readFile(path);
    files.set(path, known);
    return known;
  };
}
