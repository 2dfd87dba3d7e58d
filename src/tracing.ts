import { subscribe } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { FastifyOtelInstrumentation } from '@fastify/otel'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes
} from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node'
import type { FastifyInstance } from 'fastify'
import { databaseCode } from '../db/errors.ts'
import { statements } from '../db/statements.ts'
import type { SentStatement } from '../db/statements.ts'
import { hashes } from './domain/passwords/hashing.ts'
import type { StartedHash } from './domain/passwords/hashing.ts'
import { version } from './version.ts'

// Opt-in OpenTelemetry tracing: node --import ./dist/src/tracing.js dist/src/server.js
// Spans of requests contain routes, paths, statuses and request ids, but no queries, headers,
// bodies or messages. Spans of statements contain their text, but no parameters.
// Configured with OpenTelemetry's own variables: OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME,
// OTEL_TRACES_SAMPLER.

/** Milliseconds to wait at shutdown for the collector to receive the remaining spans. */
const flushLimit = 2000
/** The attribute by which a log line or a problem document leads to its spans. */
const requestId = 'portal.request.id'

/**
 * Removes error messages: the message of a failed statement contains the values of its parameters.
 */
class WithoutMessages extends BatchSpanProcessor {
  override onEnd(span: ReadableSpan) {
    delete span.status.message
    super.onEnd(span)
  }
}

const provider = new NodeTracerProvider({
  resource: defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'portal', 'service.version': version }))
    .merge(detectResources({ detectors: [envDetector] })),
  spanProcessors: [new WithoutMessages(new OTLPTraceExporter())]
})
provider.register()

new FastifyOtelInstrumentation({
  registerOnInitialization: true,
  instrumentHooks: false,
  instrumentHandler: false,
  // Probes are frequent, and plugins/helmet.ts requests `/` once at the start.
  ignorePaths: ({ url }) => url === '/health' || url === '/health/live' || url === '/',
  recordExceptions: false,
  requestHook(span, request) {
    span.updateName(`${request.method} ${request.routeOptions.url ?? ''}`.trim())
    // Without the query, which may contain an e-mail address that was searched for.
    span.setAttributes({
      'url.path': request.url.replace(/\?.*/, ''),
      [requestId]: request.id
    })
  }
}).setTracerProvider(provider)

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  // Requests that waited for the same read continue together, outside of their contexts.
  fastify.addHook('preHandler', function returnToContext(request, _reply, done) {
    const { context: own } = request.opentelemetry()
    if (own) context.with(own, done)
    else done()
  })
  fastify.addHook('onClose', async () => {
    await Promise.race([provider.forceFlush().catch(() => {}), sleep(flushLimit)])
  })
})

const tracer = provider.getTracer('portal')

/** A span for each statement of a request that is not answered yet. Jobs have no spans. */
subscribe(statements.name, (message) => {
  const { text, result } = message as SentStatement
  const request = trace.getActiveSpan()
  if (!request?.isRecording()) return
  const span = tracer.startSpan(nameOf(text), {
    kind: SpanKind.CLIENT,
    attributes: {
      'db.system.name': 'postgresql',
      'db.query.text': text,
      [requestId]: (request as unknown as ReadableSpan).attributes[requestId]
    }
  })
  result.then(
    () => span.end(),
    (error: unknown) => {
      span.setStatus({ code: SpanStatusCode.ERROR })
      const code = databaseCode(error)
      if (code !== undefined) span.setAttribute('db.response.status_code', code)
      span.end()
    }
  )
})

/** A span for each password that a request hashes or compares. */
subscribe(hashes.name, (message) => {
  const { name, result } = message as StartedHash
  if (!trace.getActiveSpan()?.isRecording()) return
  const span = tracer.startSpan(`password ${name}`)
  result.then(
    () => span.end(),
    () => span.end()
  )
})

/** The command and the first table: `SELECT users`. */
function nameOf(text: string) {
  const [command = ''] = /\w+/.exec(text) ?? []
  const [, table = ''] = /\b(?:from|into|update) "?(\w+)\b(?!\()/i.exec(text) ?? []
  return `${command.toUpperCase()} ${table}`.trim()
}
