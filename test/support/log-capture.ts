import { PassThrough } from 'node:stream'
import Fastify from 'fastify'
import type { Config } from '../../src/config/config.ts'
import { loggerOptions } from '../../src/http/logging.ts'

/** The portal's production logger and its output. */
export function captureLog(level: Config['LOG_LEVEL'] = 'info') {
  const stream = new PassThrough()
  let output = ''
  stream.on('data', (chunk) => {
    output += chunk
  })
  const options = loggerOptions('production', level)
  const { log } = Fastify({ logger: { ...(typeof options === 'object' && options), stream } })
  return { log, output: () => output }
}
