const lineFeed = 10;
const carriageReturn = 13;
const dollar = 36;
const asterisk = 42;

/** Counts the replies in a stream of RESP 2 without keeping them. */
export class ReplyCounter {
  count = 0;
  /** Values that the present reply still lacks. */
  #wanted = 1;
  /** Bytes of the present string that are still to come, its end of line included. */
  #skip = 0;
  #type = 0;
  #line = '';

  take(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#skip > 0) {
        const skipped = Math.min(this.#skip, chunk.length - at);
        at += skipped;
        this.#skip -= skipped;
        if (this.#skip === 0) this.#value(0);
        continue;
      }
      const byte = chunk[at] ?? 0;
      at += 1;
      if (this.#type === 0) this.#type = byte;
      else if (byte === lineFeed) this.#endLine();
      else if (byte !== carriageReturn && (this.#type === dollar || this.#type === asterisk))
        this.#line += String.fromCharCode(byte);
    }
  }

  #endLine(): void {
    const length = Number(this.#line);
    const type = this.#type;
    this.#type = 0;
    this.#line = '';
    if (type === dollar && length >= 0) this.#skip = length + 2;
    else this.#value(type === asterisk ? Math.max(0, length) : 0);
  }

  #value(parts: number): void {
    this.#wanted += parts - 1;
    if (this.#wanted > 0) return;
    this.count += 1;
    this.#wanted = 1;
  }
}
