/** The limits of node:http for each server that takes requests. Milliseconds and bytes. */
export const serverLimits = {
  requestTimeout: 10_000,
  keepAliveTimeout: 72_000, // longer than load balancers keep idle connections
  headersTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
  requireHostHeader: false // plugins/guard.ts requires it, with a problem document
} as const
