import { Gauge, type Registry } from 'prom-client';
import type { TransientStore } from '../storage/transient.ts';

/**
 * `docmill_waiting_data_bytes`, read on each scrape and absent while Redis is unreachable, and
 * `docmill_waiting_data_limit_bytes`. They describe the whole service, so every API process reports the same values.
 */
export function watchWaitingData(
  registry: Registry,
  transient: Pick<TransientStore, 'readTotalBytes'>,
  limitBytes: number,
): void {
  new Gauge({
    name: 'docmill_waiting_data_bytes',
    help: 'Data, uploads and results in Redis that count against WAITING_DATA_MB.',
    registers: [registry],
    async collect() {
      const bytes = await transient.readTotalBytes().catch(() => undefined);
      if (bytes === undefined) this.remove();
      else this.set(bytes);
    },
  });
  new Gauge({
    name: 'docmill_waiting_data_limit_bytes',
    help: 'WAITING_DATA_MB in bytes.',
    registers: [registry],
  }).set(limitBytes);
}
