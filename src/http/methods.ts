const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether a request with this method changes nothing (RFC 9110, section 9.2.1). */
export const isSafe = (method: string) => safe.has(method)

/** Whether a route has such methods only. */
export const isRead = ({ method }: { method: string | string[] }) => [method].flat().every(isSafe)
