const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether a request with this method changes nothing (RFC 9110, section 9.2.1). */
export const isSafe = (method: string) => safe.has(method)
