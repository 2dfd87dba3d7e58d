/**
 * Reads a boolean that others wrote, some of them as text: `true` and `"true"` are true. Everything
 * else that is present is false, and what is missing stays undefined.
 */
export const readBoolean = (value: unknown): boolean | undefined =>
  value === undefined ? undefined : value === true || value === 'true'
