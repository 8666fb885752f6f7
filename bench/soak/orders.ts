import type { Client } from '../../test/faults/client/client.ts';

/** One document that a client wanted, over all its tries. Its name is the file name, so that rows can be matched to it. */
export interface Order {
  readonly name: string;
  readonly client: Client;
  readonly format: 'docx' | 'pdf';
  readonly hasKey: boolean;
  readonly hasMail: boolean;
  /** The status of each try; 0 is a connection that broke. */
  readonly statuses: number[];
  /** Told by an answer that could not carry the document. */
  jobId: string | undefined;
}

export interface Tally {
  readonly orders: Order[];
  uploads: number;
  refusals: number;
  /** Bad input that was not answered with the refusal it deserves. */
  readonly surprises: string[];
  /** Faults by what was done. */
  readonly faults: Map<string, number>;
}

export function emptyTally(): Tally {
  return { orders: [], uploads: 0, refusals: 0, surprises: [], faults: new Map() };
}
