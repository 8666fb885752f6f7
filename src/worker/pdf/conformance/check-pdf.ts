import { checkAnnotations } from './checks/check-annotations.ts';
import { checkFile } from './checks/check-file.ts';
import { checkGraphics } from './checks/check-graphics.ts';
import { walkContents } from './content/walk-content.ts';
import { createFindings } from './findings.ts';
import { checkFonts } from './fonts/check-fonts.ts';
import { checkMetadata } from './metadata/check-metadata.ts';
import { openPdf, UnreadablePdf } from './open-pdf.ts';
import type { ConformanceReport, Standard } from './standards.ts';
import { checkStructure } from './structure/check-structure.ts';
import { readStructure } from './structure/read-structure.ts';

/**
 * Checks a PDF against the standards by the rules of `rules.ts`. `password` opens an encrypted file. A file that cannot
 * be read fails. Time and memory depend on the file, so run this in a process with limits.
 */
export async function checkPdf(
  bytes: Uint8Array,
  standards: readonly Standard[],
  password?: string,
): Promise<ConformanceReport> {
  const findings = createFindings(standards);
  try {
    const file = await openPdf(bytes, password);
    const structure = readStructure(file);
    checkFile(file, findings);
    checkMetadata(file, findings, standards);
    checkAnnotations(file, findings, structure);
    const graphics = checkGraphics(file, findings);
    const fonts = checkFonts(file, findings);
    const tags = checkStructure(file, findings, structure);
    const { report } = findings;
    walkContents(file, {
      ...graphics,
      ...tags,
      text(...visited) {
        fonts.text(...visited);
        tags.text(...visited);
      },
      oddString: ({ name }) => report('hexadecimal-string', name),
      unknownOperator: (_operator, { name }) => report('unknown-operator', name),
      missingResource: (_kind, { name }) => report('resources-explicit', name),
      limit: ({ name }) => report('implementation-limit', name),
      unreadable: ({ name }) => report('content-readable', name),
    });
    fonts.end();
  } catch (error) {
    if (!(error instanceof UnreadablePdf)) throw error;
    findings.report('file-readable');
  }
  return findings.toReport();
}
