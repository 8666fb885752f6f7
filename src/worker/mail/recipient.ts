/** A recipient, as the client wrote it and in the form for SMTP commands. */
export interface Recipient {
  readonly address: string;
  /** The domain is in A-labels (RFC 5891); the local part is as the client wrote it. */
  readonly wire: string;
}

/** Whether SMTP commands can name the recipient only with the SMTPUTF8 extension (RFC 6531): its local part is not ASCII. */
export function needsUtf8({ wire }: Recipient): boolean {
  return /\P{ASCII}/u.test(wire);
}
