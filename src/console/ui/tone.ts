/** What a colour says of a state. */
export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'neutral';
