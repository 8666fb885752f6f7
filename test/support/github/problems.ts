import { execFileSync } from 'node:child_process';

const parsers = {
  action: "import { parseAction as parse } from '@actions/workflow-parser/actions/action-parser';",
  workflow: "import { parseWorkflow as parse } from '@actions/workflow-parser/workflows/workflow-parser';",
};

/**
 * The problems that GitHub's own parser finds in each of these files, in order. The parser imports JSON as bundlers do,
 * so it runs in a process of its own, with a loader.
 */
export function findGithubProblems(kind: 'action' | 'workflow', contents: readonly string[]): readonly string[][] {
  const program = `
    ${parsers[kind]}
    import { NoOperationTraceWriter } from '@actions/workflow-parser/templates/trace-writer';
    const problems = ${JSON.stringify(contents)}.map((content) => {
      const { context } = parse({ name: '${kind}.yml', content }, new NoOperationTraceWriter());
      return context.errors.getErrors().map(({ message }) => message);
    });
    console.log(JSON.stringify(problems));`;
  const words = ['--import', 'tsx', '--input-type=module', '--eval', program];
  return JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' })) as string[][];
}
