/** The numbers of a line, in the order in which they are assigned. */
export const roles = ['amount', 'price', 'quantity'] as const;
export type Role = (typeof roles)[number];
