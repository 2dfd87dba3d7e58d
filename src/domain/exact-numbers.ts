/**
 * Whether a value has a number beyond ±(2^53 − 1). A JSON parser may have rounded it already
 * (RFC 8259, section 6), so nobody can say which number was meant.
 */
export const hasRounded = (value: unknown): boolean =>
  typeof value === 'number'
    ? Math.abs(value) > Number.MAX_SAFE_INTEGER
    : typeof value === 'object' && value !== null && Object.values(value).some(hasRounded)

export const roundedMessage = `Must not contain a number beyond ±${Number.MAX_SAFE_INTEGER}`
