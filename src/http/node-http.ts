/**
 * A static import of node:http reads all of its exports. Reading `WebSocket` loads an HTTP client
 * that the portal does not need at its start: 5 MB and 50 ms.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')
