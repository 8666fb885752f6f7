import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { prefixes } from '@docmill/einvoice/namespaces';
import { ruleSources } from '../../../tools/einvoice/rule-sources.ts';
import { writeStylesheet } from '../../../tools/einvoice/write-stylesheet.ts';

export type RuleSetName = keyof typeof ruleSources;

const jar = '/usr/share/java/Saxon-HE.jar';

/** `scripts/prerequisites --extended` installs Saxon on Debian and Ubuntu. */
export const hasSaxon = existsSync(jar);

/**
 * Saxon's results by the name of the invoice: sorted lines of `rule`, `failed` or `problem`, the rule, and the path of
 * the element. One Java process checks all invoices.
 */
export async function saxonVerdicts(
  ruleSet: RuleSetName,
  invoices: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'saxon-'));
  try {
    const input = join(folder, 'in');
    const output = join(folder, 'out');
    await Promise.all([mkdir(input), mkdir(output)]);
    for (const [name, xml] of invoices) await writeFile(join(input, `${name}.xml`), xml);
    const stylesheet = join(folder, 'rules.xsl');
    await writeFile(stylesheet, writeStylesheet(ruleSources[ruleSet]()));
    const files = [`-s:${input}`, `-xsl:${stylesheet}`, `-o:${output}`];
    await promisify(execFile)('java', ['-cp', jar, 'net.sf.saxon.Transform', ...files], { maxBuffer: 64 << 20 });
    const verdicts = [...invoices.keys()].map(async (name) => {
      const lines = (await readFile(join(output, `${name}.xml`), 'utf8')).trim().split('\n');
      return [name, lines.map(shortened).sort()] as const;
    });
    return new Map(await Promise.all(verdicts));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Replaces namespaces by the prefixes of the rules, and removes positions of 1, which `locationOf` omits for unique
 * names.
 */
function shortened(line: string): string {
  const named = line.replace(/Q\{([^}]*)\}/g, (_, uri: string) => (uri === '' ? '' : `${prefixes.get(uri) ?? uri}:`));
  return named.replaceAll('[1]', '');
}
