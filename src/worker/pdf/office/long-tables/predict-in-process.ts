import type { Prediction } from '@docmill/layout';
import type { Logger } from '../../../../shared/logger.ts';
import { resolveEntry } from '../../../../shared/resolve-entry.ts';
import { askOnce } from '../../../supervisor/process-slot.ts';
import { type PredictAnswer, type PredictRequest, readPredictAnswer } from './messages.ts';

const heapMb = 1_024;
/** Pages of 64 KiB: 256 MiB in total, for fonts. */
const wasmPages = 4_096;
/**
 * The default limit of a conversion, and several times what the largest table takes, because the load of a machine must
 * not affect the pages.
 */
const timeoutMs = 60_000;

/** Computes the joints of a long table in a .docx; null if it cannot. Never rejects. */
export type PredictJoints = (
  docx: Uint8Array,
  request: Omit<PredictRequest, 'docx'>,
  logger: Logger,
) => Promise<Prediction | null>;

/**
 * Runs `predictJoints` in a separate process, because a hostile document may need much time or memory. The result is
 * null if the joints cannot be computed. Never rejects.
 */
export const predictInProcess: PredictJoints = async (docx, request, logger) => {
  try {
    const entry = resolveEntry('./predict-process-main', import.meta.url, 'process');
    const flags = [`--wasm-max-mem-pages=${wasmPages}`];
    const options = { entry, heapMb, flags, timeLimitMs: timeoutMs, readAnswer: readPredictAnswer };
    const answer = await askOnce<PredictRequest, PredictAnswer>(options, { ...request, docx });
    if (answer.kind === 'predicted') {
      const { joints, uncertain } = answer.prediction;
      logger.debug({ joints: joints.length, uncertain: uncertain.length }, 'page ends of a long table are predicted');
      return answer.prediction;
    }
    logger.debug({ reason: answer.reason }, 'page ends of a long table cannot be predicted');
  } catch (error) {
    logger.warn({ err: error }, 'page ends of a long table could not be predicted');
  }
  return null;
};
