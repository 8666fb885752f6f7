import { chmod, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OfficePoolOptions } from '../../../../src/worker/pdf/office/office-pool.ts';
import type { TestPool } from './office-fixture.ts';
import { poolForTest, tempDirForTest } from './pool-for-test.ts';

/** Replaces the agent by an interpreter that claims to have uno, runs `act` for every document and `ping` for health checks. */
const agent = (path: string, act: string, ping: string): string => `#!/usr/bin/python3
import json, os, subprocess, sys, time
if sys.argv[1] == "-IBc":
    print("${path}")
    sys.exit(0)
settings = json.loads(sys.argv[3])
def say(**message):
    print(json.dumps(message), flush=True)
say(event="ready", name="Fake", version="0", confinement=[], sockets=[], residentBytes=1)
for line in sys.stdin:
    request = json.loads(line)
    number = request["id"]
    if "folder" not in request:
        ${ping}
        say(id=number, event="started")
        continue
    folder = os.path.join(settings["jobsDir"], request["folder"])
    out = os.path.join(folder, "out.pdf")
    say(id=number, event="started")
${act
  .trim()
  .split('\n')
  .map((line) => `    ${line}`)
  .join('\n')}
`;

interface AgentOptions extends Partial<OfficePoolOptions> {
  /** Python that runs before a health check is answered. */
  readonly ping?: string;
}

/** A pool whose agents run these lines of Python for every document. */
export async function fakeAgentPool(act: string, { ping = 'pass', ...options }: AgentOptions = {}): Promise<TestPool> {
  const tempDir = await tempDirForTest();
  const path = join(dirname(tempDir), 'python');
  await writeFile(path, agent(path, act, ping));
  await chmod(path, 0o755);
  return poolForTest({ tempDir, pythonPath: path, jail: 'off', ...options });
}
