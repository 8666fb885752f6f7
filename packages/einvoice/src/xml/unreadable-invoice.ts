/** The file is not XML, exceeds a limit, or is not an invoice. The message is for its author. */
export class UnreadableInvoice extends Error {}
