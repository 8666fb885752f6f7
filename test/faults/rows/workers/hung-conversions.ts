import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import { type Harness, together } from '../../harness/harness.ts';
import { expect, expectEqual } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const acting = buildDocx({ body: paragraph('{canary} {order} act:{act}') });

/**
 * Replaces the Python interpreter of LibreOffice and does, for each document, what its text `act:` names. Without a
 * LibreOffice its only valid result is a blank page.
 */
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
say(event="ready", name="Fake", version="0", confinement=[], sockets=[], residentBytes=1)
for line in sys.stdin:
    request = json.loads(line)
    number = request["id"]
    say(id=number, event="started")
    if "folder" not in request:
        continue
    folder = os.path.join(settings["jobsDir"], request["folder"])
    with zipfile.ZipFile(os.path.join(folder, "in.docx")) as package:
        text = re.sub("<[^>]+>", "", package.read("word/document.xml").decode())
    act = re.search("act:([a-z]+)", text).group(1)
    if act == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if act == "hang":
        time.sleep(600)
    with open(os.path.join(folder, "out.pdf"), "wb") as file:
        file.write(blank)
    say(id=number, event="done", pages=1, residentBytes=1)
`;

/** Two folders below a new one, as in LibreOffice, whose user can start it. */
function writeAgent(h: Harness): string {
  const path = join(h.folder, 'shim/program/python');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, agent.replace('PATH', path));
  chmodSync(path, 0o755);
  return path;
}

export const hungConversionRows: readonly Row[] = [
  {
    id: 'C10',
    title: 'eight copies of a document that hangs LibreOffice, and one that crashes it',
    story:
      'Of the copies two, at most three, are converted until the limit; the others are refused without a conversion. One that crashes it is refused after the second time. None is charged; others of the template are made',
    async run(h) {
      const env = { OFFICE_PYTHON_PATH: writeAgent(h), OFFICE_JAIL: 'off', CONVERT_TIMEOUT_MS: '3000' };
      await h.start({ pdf: true, worker: { env } });
      const { client, templateId } = await h.owner(acting, { credits: 20 });
      const convert = async (act: string, to = templateId): Promise<string | null> => {
        const data = { act, order: 'same' };
        return (await client.generate({ templateId: to, format: 'pdf', data })).headers.get('Error-Code');
      };
      const copies = await together(8, () => convert('hang'));
      const quarantined = Array.from({ length: 7 }, () => 'document_quarantined');
      expectEqual(copies.sort(), ['conversion_timeout', ...quarantined], 'the answers');
      const [row] = await h.query('select failures from conversion_failures where template_id = $1', [templateId]);
      // A third one may have taken the slot just before the second failure was recorded.
      expect(row?.failures === 2 || row?.failures === 3, `${row?.failures} conversions hung`);
      const crashing = await h.template(client, acting);
      for (const what of ['the answer after two crashes', 'the same document again'])
        expectEqual(await convert('crash', crashing), 'document_quarantined', what);
      expectEqual(await convert('honest'), null, 'another document of the template');
      await h.expectCharged({ client }, { failed: 10, succeeded: 1 }, 19);
    },
  },
];
