import type { RecipientResult } from '../../db/schema/deliveries.ts';

export type { RecipientResult } from '../../db/schema/deliveries.ts';
export type DeliveryStatus = 'pending' | 'sending' | 'transmitting' | 'sent' | 'partial' | 'failed' | 'unknown';

export interface DeliveryRecord {
  readonly id: string;
  readonly generationId: string;
  readonly status: DeliveryStatus;
  readonly recipients: readonly RecipientResult[];
  readonly attempts: number;
  readonly lastReply: string | undefined;
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | undefined;
  readonly finishedAt: Date | undefined;
}
