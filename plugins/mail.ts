import fp from 'fastify-plugin'
import { createOutboxWorker } from '../src/domain/mail/worker.ts'
import { readBacklog } from '../src/domain/outbox/list.ts'
import { mailSettingsOf, transportOf } from '../src/config/mail-services.ts'
import { acceptedLocale } from '../src/domain/mail/texts.ts'
import type { MailSettings } from '../src/domain/mail/composer.ts'

declare module 'fastify' {
  interface FastifyInstance {
    mailSettings: MailSettings
    /** The outbox of this instance. Undefined where no mail can be sent. */
    outbox: Outbox | undefined
  }
  interface FastifyRequest {
    /** The first language of the browser that mail can be written in. */
    mailLocale(): string | undefined
  }
}

interface Outbox {
  totals: ReturnType<typeof createOutboxWorker>['totals']
  readBacklog(): ReturnType<typeof readBacklog>
}

/** Delivers what the outbox holds, in the background: no request waits for a mail server. */
export default fp(
  async (app) => {
    const { config, db, log, context } = app
    const settings = { ...mailSettingsOf(config), own: app.ownApp?.definition.mails }
    app.decorate('mailSettings', settings)
    app.decorateRequest('mailLocale', function () {
      return acceptedLocale(settings.texts, this.headers['accept-language'])
    })
    const { mail } = context
    // A shell must not deliver mail: the servers do.
    if (!mail || app.surface === 'console') {
      app.decorate('outbox', undefined)
      return
    }
    const { sealing } = mail
    const transport = transportOf(config)
    const worker = createOutboxWorker({
      db,
      sealing,
      buckets: context.buckets,
      settings,
      transport,
      isReady: () => app.readiness.reason() === undefined,
      log: {
        info: (details, message) => log.info(details, message),
        warn: (details, message) => log.warn(details, message),
        error: (details, message) => log.error(details, message)
      }
    })
    app.decorate('outbox', { totals: worker.totals, readBacklog: () => readBacklog(db) })
    app.addHook('onReady', async function startOutbox() {
      worker.start()
    })
    app.addHook('onClose', async function stopOutbox() {
      await worker.stop()
      await transport?.close()
    })
  },
  { name: 'mail', dependencies: ['config', 'db', 'health', 'context'] }
)
