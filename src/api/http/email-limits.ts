import type { ApiConfig } from '../../shared/config/load-config.ts';
import type { EmailLimits } from '../../shared/domain/deliveries/email-limits.ts';

type LimitVariables = Pick<ApiConfig, 'MAIL_RECIPIENTS_PER_DAY' | 'MAIL_MESSAGES_PER_RECIPIENT_PER_DAY'>;

/** The default limits of accounts. */
export const emailLimitsOf = (config: LimitVariables): EmailLimits => ({
  recipients: config.MAIL_RECIPIENTS_PER_DAY,
  messagesPerRecipient: config.MAIL_MESSAGES_PER_RECIPIENT_PER_DAY,
});
