/** What one request holds of the memory for request bodies. */
export interface BodyLease {
  /** Throws `unavailable` when the process holds too many bytes of bodies already. */
  take(bytes: number): void;
}
