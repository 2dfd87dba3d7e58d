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

// OpenTelemetry, for those who ask for it: node --import ./dist/src/tracing.js dist/src/server.js
// Spans have routes, paths, statuses and request ids; no query, header, body or message.
// Where spans go and how many is in OpenTelemetry's own variables: OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER.

/** Spans that have not been sent when the server ends: that long at most is waited for their collector. */
const flushLimit = 2000

/** A status has the error's message by now, and a failed statement's holds the values of its parameters. */
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
  // Probes ask all the time, and plugins/helmet.ts asks `/` of itself once.
  ignorePaths: ({ url }) => url === '/health' || url === '/health/live' || url === '/',
  recordExceptions: false,
  requestHook(span, request) {
    span.updateName(`${request.method} ${request.routeOptions.url ?? ''}`.trim())
    // Without the query, which may hold an address that was searched for.
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
