import fp from 'fastify-plugin'
import { createOutboxWorker } from '../src/domain/mail/worker.ts'
import { readBacklog as readMail } from '../src/domain/outbox/list.ts'
import { mailSettingsOf, transportOf } from '../src/config/mail-services.ts'
import { acceptedLocale } from '../src/domain/mail/texts.ts'
import type { MailSettings } from '../src/domain/mail/composer.ts'
import { readBacklog as readEvents } from '../src/domain/webhooks/claim.ts'
import { createWebhookWorker } from '../src/domain/webhooks/worker.ts'

declare module 'fastify' {
  interface FastifyInstance {
    mailSettings: MailSettings
    /** The mail that this instance sends. Undefined where no mail can be sent. */
    outbox: QueueMetrics<ReturnType<typeof readMail>> | undefined
    /** The events that this instance delivers. Undefined where it delivers nothing. */
    webhooks: QueueMetrics<ReturnType<typeof readEvents>> | undefined
  }
  interface FastifyRequest {
    /** The first language of the browser that mail can be written in. */
    mailLocale(): string | undefined
  }
}

interface QueueMetrics<Backlog> {
  /** Attempts by outcome, since the start. */
  totals: Readonly<Record<string, number>>
  readBacklog: () => Backlog
}

/**
 * Sends what the outbox holds, and events to webhooks and functions of the app, in the background:
 * no request waits for another server.
 */
export default fp(
  async (app) => {
    const { config, db, log, context } = app
    const settings = { ...mailSettingsOf(config), own: app.ownApp?.definition.mails }
    app.decorate('mailSettings', settings)
    app.decorateRequest('mailLocale', function () {
      return acceptedLocale(settings.texts, this.headers['accept-language'])
    })
    // A shell must not send anything: the servers do.
    if (app.surface === 'console') {
      app.decorate('outbox', undefined)
      app.decorate('webhooks', undefined)
      return
    }
    const { mail, sealing, sender, buckets } = context
    const working = { db, log, sealing, isReady: () => app.readiness.reason() === undefined }
    const transport = mail && transportOf(config)
    const outbox = mail && createOutboxWorker({ ...working, buckets, settings, transport })
    const functions = app.ownApp?.definition.on
    const webhooks = createWebhookWorker({ ...working, sender, functions })
    app.decorate('outbox', outbox && { totals: outbox.totals, readBacklog: () => readMail(db) })
    app.decorate('webhooks', { totals: webhooks.totals, readBacklog: () => readEvents(db) })
    app.addHook('onReady', async function startWorkers() {
      outbox?.start()
      webhooks.start()
    })
    app.addHook('onClose', async function stopWorkers() {
      await Promise.all([outbox?.stop(), webhooks.stop()])
      await transport?.close()
    })
  },
  { name: 'outbox', dependencies: ['config', 'db', 'health', 'context'] }
)
