import fp from 'fastify-plugin'
import { createOutboxWorker } from '../src/domain/mail/worker.ts'
import { mailSettingsOf, transportOf } from '../src/config/mail-services.ts'
import { acceptedLocale } from '../src/domain/mail/texts.ts'
import type { MailSettings } from '../src/domain/mail/composer.ts'
import { createWebhookWorker } from '../src/domain/webhooks/worker.ts'

declare module 'fastify' {
  interface FastifyInstance {
    mailSettings: MailSettings
    /** Undefined where no mail can be sent. */
    outbox?: ReturnType<typeof createOutboxWorker> | undefined
    /** Undefined in the operator's console. */
    webhooks?: ReturnType<typeof createWebhookWorker>
  }
  interface FastifyRequest {
    /** The first language of the browser that mail can be written in. */
    mailLocale(): string | undefined
  }
}

/**
 * Sends what the outbox holds, and events to webhooks and functions of the app, in the background:
 * no request waits for another server.
 */
export default fp(
  async (app) => {
    const { config, db, log, context, ownApp } = app
    const settings = { ...mailSettingsOf(config), own: ownApp?.definition.mails }
    app.decorate('mailSettings', settings)
    app.decorateRequest('mailLocale', function () {
      return acceptedLocale(settings.texts, this.headers['accept-language'])
    })
    // A shell must not send anything: the servers do.
    if (app.surface === 'console') return
    const { mail, sealing, sender, buckets } = context
    const working = { db, log, sealing, isReady: () => app.readiness.reason() === undefined }
    const transport = mail && transportOf(config)
    const outbox = mail && createOutboxWorker({ ...working, buckets, settings, transport })
    const webhooks = createWebhookWorker({ ...working, sender, functions: ownApp?.definition.on })
    app.decorate('outbox', outbox)
    app.decorate('webhooks', webhooks)
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
