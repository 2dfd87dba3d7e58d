import { createRequire } from 'node:module'
import type { FastifyServerOptions } from 'fastify'
import type { DestinationStream } from 'pino'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import { databaseCode } from '../../db/errors.ts'
import type { Config } from '../config/config.ts'

const secretNames = ['password', 'currentPassword', 'newPassword', 'token', 'secret', 'jti']

/** Readable lines on a developer's terminal, JSON in production. Bodies are never logged; what slips in by name is removed. */
export function loggerOptions(
  config: Pick<Config, 'development' | 'LOG_LEVEL'>
): FastifyServerOptions['logger'] {
  return {
    level: config.LOG_LEVEL,
    redact: {
      paths: [
        'req.headers.cookie',
        'req.headers.authorization',
        'headers.cookie',
        'headers.authorization',
        'res.headers["set-cookie"]',
        'headers["set-cookie"]',
        ...secretNames,
        ...secretNames.map((name) => `*.${name}`)
      ],
      censor: '[redacted]'
    },
    serializers: { err: describeError },
    ...(config.development && { stream: readable() })
  }
}

/** In this thread and not a transport's: nothing is lost or out of order when the process ends. Loaded only where it is used. */
function readable(): DestinationStream {
  const pretty = createRequire(import.meta.url)('pino-pretty') as (
    options: object
  ) => DestinationStream
  return pretty({
    translateTime: 'SYS:HH:MM:ss',
    ignore: ['pid', 'hostname', ...requestFields].join(','),
    messageFormat: readableMessage,
    singleLine: true,
    sync: true
  })
}

/** What plugins/request-log.ts writes about a request. On a terminal it is a sentence, without who and from where. */
const requestFields = [
  'reqId',
  'method',
  'route',
  'path',
  'status',
  'ms',
  'userId',
  'sessionId',
  'ip'
]

/** The request id comes last: a problem document has it as `instance`. */
function readableMessage({
  msg,
  reqId,
  method,
  path,
  status,
  ms
}: Record<string, unknown>): string {
  const message = method === undefined ? msg : `${method} ${path} ${status} ${ms} ms`
  return [message, reqId].filter((part) => part !== undefined).join(' ')
}

/** A failed query's own message carries its parameters (addresses, hashes) and the server's may carry values: only the statement and the code are kept. */
export function describeError(error: Error) {
  const query = error instanceof DrizzleQueryError
  const frames =
    error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n') ?? ''
  return {
    type: error.name,
    code: databaseCode(error),
    message: query
      ? `Failed query: ${error.query}`
      : databaseState(error)
        ? 'The database rejected a statement'
        : error.message,
    stack: frames
  }
}

const databaseState = (error: Error) =>
  /^[0-9A-Z]{5}$/.test(databaseCode(error) ?? '') && !/^E/.test(databaseCode(error) ?? '')
