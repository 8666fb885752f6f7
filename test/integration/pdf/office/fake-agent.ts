import { chmod, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OfficePoolOptions } from '../../../../src/worker/pdf/office/office-pool.ts';
import type { TestPool } from './office-fixture.ts';
import { poolForTest, tempDirForTest } from './pool-for-test.ts';

const indented = (python: string): string =>
  python
    .trim()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');

/** Replaces the agent by an interpreter that claims to have uno. */
const agent = (path: string, begin: string, act: string): string => `#!/usr/bin/python3
import json, os, subprocess, sys, time
if sys.argv[1] == "-IBc":
    print("${path}")
    sys.exit(0)
settings = json.loads(sys.argv[3])
def say(**message):
    print(json.dumps(message), flush=True)
${begin}
say(event="ready", name="Fake", version="0", confinement=[], sockets=[], residentBytes=1)
for line in sys.stdin:
    request = json.loads(line)
    number = request["id"]
    say(id=number, event="started")
    if "folder" not in request:
        continue
    folder = os.path.join(settings["jobsDir"], request["folder"])
    out = os.path.join(folder, "out.pdf")
${indented(act)}
`;

interface AgentOptions extends Partial<OfficePoolOptions> {
  /** Python that runs before the agent is ready. */
  readonly begin?: string;
}

/** A pool whose agents run these lines of Python for every document. */
export async function fakeAgentPool(act: string, { begin = '', ...options }: AgentOptions = {}): Promise<TestPool> {
  const tempDir = await tempDirForTest();
  const path = join(dirname(tempDir), 'python');
  await writeFile(path, agent(path, begin, act));
  await chmod(path, 0o755);
  return poolForTest({ tempDir, pythonPath: path, jail: 'off', ...options });
}
