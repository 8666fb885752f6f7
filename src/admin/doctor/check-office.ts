import { loadOfficeConfig } from '../../shared/config/load-config.ts';
import { engineVersionOf } from '../../shared/engine-version.ts';
import { createLogger } from '../../shared/logger.ts';
import { listInstalledFonts } from '../../worker/pdf/office/installed-fonts.ts';
import { startOfficePool } from '../../worker/pdf/office/office-pool.ts';
import { findPrograms } from '../../worker/pdf/office/programs.ts';
import { knownScripts } from '../../worker/pdf/office/script-languages.ts';
import { type Finding, failed, ok, reasonOf, warning } from './finding.ts';

/** The versions that this release is tested with. */
const testedVersions = ['7.4', '25.2'];

/** A LibreOffice started as a worker on this machine would start it. `startMs` includes test conversions. */
export interface OfficeReport {
  readonly findings: readonly Finding[];
  readonly office: Readonly<Record<string, unknown>> | null;
}

export async function checkOffice(): Promise<OfficeReport> {
  const config = loadOfficeConfig();
  const hints = { sofficePath: config.OFFICE_PATH, pythonPath: config.OFFICE_PYTHON_PATH };
  try {
    const { soffice: program, python, drawsFormulas } = await findPrograms(hints);
    const startedAt = performance.now();
    const pool = await startOfficePool({
      ...hints,
      slots: 1,
      convertTimeoutMs: config.OFFICE_START_TIMEOUT_MS,
      startTimeoutMs: config.OFFICE_START_TIMEOUT_MS,
      recycleAfter: 1,
      memoryLimitBytes: config.OFFICE_MEMORY_LIMIT_MB * 1024 * 1024,
      tempDir: config.OFFICE_TEMP_DIR,
      jail: config.OFFICE_JAIL,
      logger: createLogger('silent', 'doctor'),
    });
    try {
      const startMs = Math.round(performance.now() - startedAt);
      const { engine, jail } = pool.status();
      const office = { ...engine, program, python, jail, startMs };
      const version = checkVersion(engine?.version ?? 'unknown', startMs);
      return { findings: [version, ...checkFormulas(drawsFormulas), checkJail(jail)], office };
    } finally {
      await pool.close();
    }
  } catch (error) {
    const fix =
      'Install LibreOffice with its Python (scripts/prerequisites), or correct OFFICE_PATH, OFFICE_TEMP_DIR and OFFICE_JAIL';
    return { findings: [failed('libreoffice', `LibreOffice does not start: ${reasonOf(error)}`, fix)], office: null };
  }
}

function checkVersion(version: string, startMs: number): Finding {
  const message = `version ${version} starts and converts in ${startMs} ms`;
  if (testedVersions.includes(engineVersionOf(version))) return ok('libreoffice', message);
  const fix = `Install ${testedVersions.join(' or ')}, or compare the pages of your templates with admin engine-check`;
  return warning('libreoffice', `${message}, and is not tested with this release`, fix);
}

function checkFormulas(drawsFormulas: boolean): Finding[] {
  if (drawsFormulas) return [];
  return [warning('formulas', 'PDFs show no formulas', 'Install libreoffice-math-nogui')];
}

/** The name of a jail begins with its level, as in `namespaces+limits+seccomp`. */
function checkJail(jail: string): Finding {
  const level = jail.split('+')[0];
  if (level === 'bubblewrap' || level === 'namespaces') return ok('jail', jail);
  return warning(
    'jail',
    `${jail}: LibreOffice sees the files and the network of this machine`,
    'Allow user namespaces (kernel.unprivileged_userns_clone, the seccomp profile of the container), install bubblewrap, and set OFFICE_JAIL=required',
  );
}

/** The scripts (ISO 15924) that the fonts cover, and those that PDFs cannot print. Null without fontconfig. */
interface FontReport {
  readonly findings: readonly Finding[];
  readonly fonts: Readonly<Record<string, unknown>> | null;
}

export async function checkFonts(): Promise<FontReport> {
  const fix = 'Install fonts as docs/guides/fonts.md describes: scripts/prerequisites installs those of the tests';
  const installed = await listInstalledFonts(loadOfficeConfig().OFFICE_PATH);
  if (installed === undefined)
    return {
      findings: [failed('fonts', 'fontconfig is missing, so the fonts are unknown', 'Install fontconfig')],
      fonts: null,
    };
  const covered = new Set(installed.fonts.flatMap(({ scripts }) => scripts));
  const missingScripts = knownScripts.filter((script) => !covered.has(script));
  const fonts = {
    families: installed.fonts.length,
    scripts: knownScripts.filter((script) => covered.has(script)),
    missingScripts,
  };
  const families = `${fonts.families} families`;
  if (!covered.has('Latn')) return { findings: [failed('fonts', `${families}, none with Latin letters`, fix)], fonts };
  if (missingScripts.length === 0) return { findings: [ok('fonts', `${families} cover all known scripts`)], fonts };
  const message = `${families}; PDFs cannot print ${missingScripts.join(', ')}`;
  return { findings: [warning('fonts', message, fix)], fonts };
}
