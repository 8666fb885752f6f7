import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findPrograms } from '../../../../src/worker/pdf/office/programs.ts';
import type { Harness } from '../../harness/harness.ts';
import { officesOf, ticksOf } from '../../harness/measure.ts';
import type { ServiceProcess } from '../../harness/service-process.ts';
import { until } from '../../harness/until.ts';

const busyTicks = 15;

/** Returns the LibreOffice of a one-slot worker while it converts; a different process each time. */
export class OfficeHunt {
  readonly #h: Harness;
  readonly #worker: ServiceProcess;
  readonly #past = new Set<string | number>();

  constructor(h: Harness, worker: ServiceProcess) {
    this.#h = h;
    this.#worker = worker;
  }

  async next(): Promise<number> {
    const firstTicks = new Map<number, number>();
    const [pid, documents] = await until('LibreOffice working on a document', () => this.#look(firstTicks), 60_000, 10);
    for (const each of [pid, ...documents]) this.#past.add(each);
    return pid;
  }

  #look(firstTicks: Map<number, number>): readonly [number, readonly string[]] | undefined {
    const documents = documentsIn(this.#h).filter((name) => !this.#past.has(name));
    // CPU time before the document was its start.
    if (documents.length === 0) firstTicks.clear();
    for (const pid of officesOf(this.#worker.pid)) {
      const ticks = ticksOf(pid);
      const first = firstTicks.get(pid) ?? ticks;
      firstTicks.set(pid, first);
      if (documents.length > 0 && ticks > first + busyTicks && !this.#past.has(pid)) return [pid, documents];
    }
    return undefined;
  }
}

function documentsIn(h: Harness): string[] {
  return readdirSync(h.officeFolder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('/in.docx'));
}

export function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

/** Writes a program that the LibreOffice user can start, two folders below a new one. */
function writeProgram(h: Harness, name: string, text: string): string {
  const path = join(h.folder, 'shim/program', name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

/** A LibreOffice that tries to start a daemon, which would keep the pipes of the parent open. */
export async function officeWithDaemon(h: Harness): Promise<{ readonly path: string; readonly daemon: string }> {
  const { soffice } = await findPrograms({});
  const daemon = writeProgram(h, 'daemon', '#!/bin/sh\nwhile :; do sleep 5; done\n');
  return {
    path: writeProgram(h, 'soffice', forking.replaceAll('DAEMON', daemon).replaceAll('SOFFICE', soffice)),
    daemon,
  };
}

const forking = `#!/usr/bin/python3
import os, sys
try:
    if os.fork() == 0:
        os.setsid()
        os.execv("DAEMON", ["DAEMON"])
except PermissionError:
    pass
os.execv("SOFFICE", ["SOFFICE", *sys.argv[1:]])
`;

/**
 * Replaces the Python interpreter of LibreOffice and runs, for each document, the action that its text `act:` names. Without
 * a LibreOffice its only valid result is a blank page.
 */
export function lyingAgent(h: Harness): string {
  const path = join(h.folder, 'shim/program/python');
  return writeProgram(h, 'python', agent.replace('PATH', path));
}

const agent = `#!/usr/bin/python3
import json, os, re, signal, sys, time, zipfile
if sys.argv[1] == "-IBc":
    print("PATH")
    sys.exit(0)
settings = json.loads(sys.argv[3])
objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
    b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"]
blank, table = b"%PDF-1.4\\n", b"xref\\n0 4\\n0000000000 65535 f \\n"
for number, text in enumerate(objects, 1):
    table += b"%010d 00000 n \\n" % len(blank)
    blank += b"%d 0 obj\\n%s\\nendobj\\n" % (number, text)
blank += table + b"trailer\\n<</Root 1 0 R/Size 4>>\\nstartxref\\n%d\\n%%%%EOF\\n" % len(blank)
def say(**message):
    print(json.dumps(message), flush=True)
def write(bytes):
    with open(out, "wb") as file:
        file.write(bytes)
acts = {
    "honest": lambda: write(blank),
    "nothing": lambda: None,
    "empty": lambda: write(b""),
    "half": lambda: write(blank[:90]),
    "cut": lambda: write(blank[:-30]),
    "html": lambda: write(b"<html>not found</html>"),
    "link": lambda: os.symlink("/etc/passwd", out),
    "pipe": lambda: os.mkfifo(out),
    "folder": lambda: os.mkdir(out),
    "leave": lambda: sys.exit(0),
    "crash": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "hang": lambda: time.sleep(600),
}
say(event="ready", name="Fake", version="0", confinement=[], sockets=[], residentBytes=1)
for line in sys.stdin:
    request = json.loads(line)
    number = request["id"]
    say(id=number, event="started")
    if "folder" not in request:
        continue
    folder = os.path.join(settings["jobsDir"], request["folder"])
    out = os.path.join(folder, "out.pdf")
    with zipfile.ZipFile(os.path.join(folder, "in.docx")) as package:
        text = re.sub("<[^>]+>", "", package.read("word/document.xml").decode())
    acts[re.search("act:([a-z]+)", text).group(1)]()
    say(id=number, event="done", pages=1, residentBytes=1)
`;
