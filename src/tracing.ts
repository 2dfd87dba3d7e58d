import { subscribe } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
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

// Opt-in OpenTelemetry tracing: node --import ./dist/src/tracing.js dist/src/server.js
// Spans contain routes, paths, statuses and request ids, but no queries, headers, bodies or
// messages.
// Configured with OpenTelemetry's own variables: OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME,
// OTEL_TRACES_SAMPLER.

/** Milliseconds to wait at shutdown for the collector to receive the remaining spans. */
const flushLimit = 2000

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
    .merge(resourceFromAttributes({ 'service.name': 'portal' }))
    .merge(detectResources({ detectors: [envDetector] })),
  spanProcessors: [new WithoutMessages(new OTLPTraceExporter())]
})
provider.register()

new FastifyOtelInstrumentation({
  registerOnInitialization: true,
  instrumentHooks: false,
  // Probes are frequent, and src/http/security-headers.ts requests `/` once at the start.
  ignorePaths: ({ url }) => url === '/health' || url === '/health/live' || url === '/',
  recordExceptions: false,
  requestHook(span, request) {
    span.updateName(`${request.method} ${request.routeOptions.url ?? ''}`.trim())
    // Without the query, which may contain an e-mail address that was searched for.
    span.setAttributes({
      'url.path': request.url.replace(/\?.*/, ''),
      'portal.request.id': request.id
    })
  }
}).setTracerProvider(provider)

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onClose', async () => {
    await Promise.race([provider.forceFlush().catch(() => {}), sleep(flushLimit)])
  })
})
