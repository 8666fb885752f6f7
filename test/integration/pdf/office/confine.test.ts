import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const agentDir = join(import.meta.dirname, '../../../../src/worker/pdf/office/agent');
let server: Server;
let port: number;
let dir: string;

beforeAll(async () => {
  server = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  dir = await mkdtemp('/dev/shm/docmill-confine-');
});

/** Python that returns the outcome of an attempt as text. */
const outcomes = `libc = ctypes.CDLL(None, use_errno=True)
def outcome(act):
    try:
        act()
        return "done"
    except OSError as error:
        return type(error).__name__
def system_call(number, *values):
    if libc.syscall(number, *values) < 0:
        raise OSError(ctypes.get_errno(), "")
`;

/** The output of a program whose parent is a shell. */
async function outputOf(script: string, before: readonly string[] = []): Promise<unknown> {
  const shell = ['sh', '-c', '"$@"; exit $?', 'sh', '/usr/bin/python3', '-IBc', script];
  return JSON.parse((await promisify(execFile)('env', [...before, ...shell])).stdout);
}

afterAll(async () => {
  server.close();
  await rm(dir, { recursive: true });
});

test('a confined program can start threads, but neither start children nor signal other processes', async () => {
  const script = `
import ctypes, fcntl, json, os, resource, signal, subprocess, sys, threading
sys.path.insert(0, "${agentDir}")
import confine
${outcomes}def child():
    if os.fork() == 0:
        os._exit(0)
    os.wait()
def thread():
    worker = threading.Thread(target=lambda: None)
    worker.start()
    worker.join()
def attempts():
    return {
        "child": outcome(child),
        "program": outcome(lambda: subprocess.run(["/bin/true"])),
        "thread": outcome(thread),
        "signal to itself": outcome(lambda: os.kill(os.getpid(), 0)),
        "signal to the parent": outcome(lambda: os.kill(os.getppid(), 0)),
        "signal to every process": outcome(lambda: os.kill(-1, 0)),
        "signal to its group": outcome(lambda: os.kill(0, 0)),
        "limit of its own": outcome(lambda: resource.prlimit(0, resource.RLIMIT_CORE)),
        "limit of the parent": outcome(lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CORE)),
        "handler of SIGTERM": outcome(lambda: signal.signal(signal.SIGTERM, signal.SIG_DFL)),
        "handler of SIGINT": outcome(lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)),
        "handler of SIGUSR1": outcome(lambda: signal.signal(signal.SIGUSR1, signal.SIG_DFL)),
        "signal by a file": outcome(lambda: fcntl.fcntl(0, 10, 19)),
        "life without its parent": outcome(lambda: system_call(${process.arch === 'arm64' ? 167 : 157}, 1, 0, 0, 0, 0)),
    }
before = attempts()
libc.prctl(38, 1, 0, 0, 0)
assert confine.stay_alone()
print(json.dumps([before, attempts()]))
`;
  const [before = {}, after] = (await outputOf(script)) as Record<string, string>[];
  expect(new Set(Object.values(before))).toEqual(new Set(['done']));
  const allowed = new Set(['thread', 'signal to itself', 'limit of its own', 'handler of SIGUSR1']);
  expect(after).toEqual(
    Object.fromEntries(Object.keys(before).map((name) => [name, allowed.has(name) ? 'done' : 'PermissionError'])),
  );
});

/** The result of each attempt in a process without a jail, before and after it confines itself. */
async function attempts(isConfined: boolean): Promise<Record<string, string>> {
  const script = `
import ctypes, json, os, socket, sys
sys.path.insert(0, "${agentDir}")
import confine
rules = {"read": ["/usr", "/lib", "/lib64", "/proc"], "write": ["${dir}"], "device": ["/dev/null"], "socket": []}
if ${isConfined ? 'True' : 'False'}: confine.confine({"RLIMIT_CORE": 0}, rules)
${outcomes}print(json.dumps({
    "read elsewhere": outcome(lambda: open("/etc/hostname").read()),
    "list elsewhere": outcome(lambda: os.listdir("/")),
    "write elsewhere": outcome(lambda: open("/tmp/docmill-confine-%d" % os.getpid(), "w").close()),
    "write in its folder": outcome(lambda: open("${dir}/own", "w").close()),
    "read of /usr": outcome(lambda: os.listdir("/usr/lib")),
    "environment of the parent": outcome(lambda: open("/proc/%d/environ" % os.getppid()).read()),
    "signal to the parent": outcome(lambda: os.kill(os.getppid(), 0)),
    "connection": outcome(lambda: socket.create_connection(("127.0.0.1", ${port})).close()),
    "local socket": outcome(lambda: socket.socket(socket.AF_UNIX).close()),
    "new user namespace": outcome(lambda: system_call(272, 0x10000000)),
    "io_uring": outcome(lambda: system_call(425, 1, (ctypes.c_char * 120)())),
}))
if os.path.exists("/tmp/docmill-confine-%d" % os.getpid()): os.unlink("/tmp/docmill-confine-%d" % os.getpid())
`;
  // A parent with the same user and no extra privileges: only the confinement separates the two.
  const powerless = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];
  return (await outputOf(script, powerless)) as Record<string, string>;
}

test('a process that confines itself keeps its folder, /usr and local sockets, and nothing else', async () => {
  expect(new Set(Object.values(await attempts(false)))).toEqual(new Set(['done']));
  expect(await attempts(true)).toEqual({
    'read elsewhere': 'PermissionError',
    'list elsewhere': 'PermissionError',
    'write elsewhere': 'PermissionError',
    'write in its folder': 'done',
    'read of /usr': 'done',
    'environment of the parent': 'PermissionError',
    'signal to the parent': 'PermissionError',
    connection: 'PermissionError',
    'local socket': 'done',
    'new user namespace': 'PermissionError',
    io_uring: 'PermissionError',
  });
});
