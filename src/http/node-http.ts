/**
 * The module of Node. A static import would read all of its exports, and with `WebSocket` load a
 * client that the portal does not need to start: 5 MB and 50 ms of a start.
 */
export const http = process.getBuiltinModule('node:http')
