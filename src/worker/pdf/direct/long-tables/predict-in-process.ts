import type { Logger } from '../../../../shared/logger.ts';
import { resolveEntry } from '../../../../shared/resolve-entry.ts';
import { runPdfProcess } from '../../run-pdf-process.ts';
import type { LongTable, Prediction } from './predict-joints.ts';

const heapMb = 1_024;
/** Of 64 KiB: 256 MiB, for fonts. */
const wasmPages = 4_096;
/** The default limit of a conversion, and several times what the largest table takes: a busy machine must not change the pages. */
const timeoutMs = 60_000;

interface PredictRequest {
  readonly table: LongTable;
  /** Path of the fontconfig file that LibreOffice uses. */
  readonly fontSettings: string;
}

/** Computes the joints of a long table of a .docx; null where it cannot. Never rejects. */
export type PredictJoints = (docx: Uint8Array, request: PredictRequest, logger: Logger) => Promise<Prediction | null>;

/**
 * The joints of a long table as `predictJoints` computes them, in a process of its own, because a hostile document may ask for
 * much time or memory; null where they cannot be computed. Never rejects.
 */
export const predictInProcess: PredictJoints = async (docx, request, logger) => {
  try {
    const entry = resolveEntry('./predict-process-main', import.meta.url, 'process');
    const flags = [`--wasm-max-mem-pages=${wasmPages}`];
    const made = await runPdfProcess({ entry, heapMb, flags, timeoutMs }, request, docx);
    if (made instanceof Uint8Array) {
      const prediction = JSON.parse(Buffer.from(made).toString('utf8')) as Prediction;
      const [joints, uncertain] = [prediction.joints.length, prediction.uncertain.length];
      logger.debug({ joints, uncertain }, 'page ends of a long table are predicted');
      return prediction;
    }
    logger.debug({ reason: made.report, end: made.end }, 'page ends of a long table cannot be predicted');
  } catch (error) {
    logger.warn({ err: error }, 'page ends of a long table could not be predicted');
  }
  return null;
};
