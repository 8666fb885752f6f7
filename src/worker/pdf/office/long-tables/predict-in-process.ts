import type { LongTable, Prediction } from '@docmill/layout';
import type { Logger } from '../../../../shared/logger.ts';
import { resolveEntry } from '../../../../shared/resolve-entry.ts';
import { runPdfProcess } from '../../run-pdf-process.ts';

const heapMb = 1_024;
/** Pages of 64 KiB: 256 MiB in total, for fonts. */
const wasmPages = 4_096;
/**
 * The default limit of a conversion, and several times what the largest table takes, because the load of a machine must
 * not affect the pages.
 */
const timeoutMs = 60_000;

interface PredictRequest {
  readonly table: LongTable;
  /** Path of LibreOffice's fontconfig file. */
  readonly fontSettings: string;
}

/** Computes the joints of a long table in a .docx; null if it cannot. Never rejects. */
export type PredictJoints = (docx: Uint8Array, request: PredictRequest, logger: Logger) => Promise<Prediction | null>;

/**
 * Runs `predictJoints` in a separate process, because a hostile document may need much time or memory. The result is
 * null if the joints cannot be computed. Never rejects.
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
