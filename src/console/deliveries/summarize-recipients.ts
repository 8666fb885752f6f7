import { deliveryTexts } from '../texts/deliveries.ts';

/** The first address, and the number of others. */
export function summarizeRecipients(addresses: readonly string[]): string {
  const [first] = addresses;
  if (first === undefined) return '';
  return addresses.length === 1 ? first : deliveryTexts.andMore(first, addresses.length - 1);
}
