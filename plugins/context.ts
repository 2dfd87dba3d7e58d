import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { bucketsOf } from '../src/config/budget-variables.ts'
import { createRegistrationRules } from '../src/config/guard.ts'
import { subKey } from '../src/config/keys.ts'
import { mailServiceOf } from '../src/config/mail-services.ts'
import { rpIdOf } from '../src/config/passkeys.ts'
import { createChallenges } from '../src/domain/factors/challenges.ts'
import { createProofs } from '../src/domain/guard/proofs.ts'
import { createSealing } from '../src/domain/sealing.ts'
import type { Context } from '../src/domain/sign-in/context.ts'
import { createAttemptQueue } from '../src/domain/throttling/admission.ts'
import { dropUndeclared } from '../src/domain/vocabulary.ts'
import { createDeviceTokens } from '../src/domain/throttling/devices.ts'
import { callbackOf } from '../src/http/provider-flow.ts'
import { createProviderClient } from '../src/outbound/provider-client.ts'
import { createSender } from '../src/outbound/sender.ts'

declare module 'fastify' {
  interface FastifyInstance {
    context: Context
  }
}

/** Collects what the domain uses, and shows which part of the configuration each service gets. */
export default fp(
  async (app) => {
    const { config, db, passwords } = app
    const { SECRET_KEYS: keys } = config
    const sealing = createSealing(keys)
    const rpId = rpIdOf(config)
    const mail = mailServiceOf(config, sealing)
    const { development, WEBHOOK_NETWORKS: networks } = config
    const sender = createSender({ development, networks })
    const rules = createRegistrationRules(config, (error, name) => {
      app.log.warn({ err: error, name }, 'the file was not read again, its former content stays')
    })
    const own = app.ownApp?.definition
    if (own) dropUndeclared(!config.development)
    app.decorate('context', {
      db,
      passwords,
      sessionRules: {
        idleSeconds: config.SESSION_IDLE_SECONDS,
        absoluteSeconds: config.SESSION_ABSOLUTE_SECONDS,
        maxPerUser: config.SESSION_MAX_PER_USER,
        providers: config.providers
      },
      registration: config.REGISTRATION,
      graceDays: config.DELETION_GRACE_DAYS,
      sealing,
      mail,
      providers: config.providers,
      settings: app.settings,
      providerClient: createProviderClient({
        development: config.development,
        redirectUriOf: (key) => callbackOf(config.PUBLIC_ORIGIN, key)
      }),
      sender,
      passkeys:
        rpId === undefined
          ? undefined
          : {
              rpId,
              rpName: config.PRODUCT_NAME,
              origins: [config.PUBLIC_ORIGIN, ...config.CORS_ORIGINS],
              challenges: createChallenges(keys.map((key) => subKey(key, 'challenge')))
            },
      devices: createDeviceTokens(keys.map((key) => subKey(key, 'device'))),
      guard: mail && {
        proofs: createProofs(keys.map((key) => subKey(key, 'proof'))),
        isSuspect: rules.isSuspect
      },
      refusesDomain: rules.refuses,
      buckets: bucketsOf(config),
      // One source can keep all hashing threads busy, but others wait for at most one hash each.
      attempts: createAttemptQueue(config.HASH_THREADS),
      exports: own && (own.exports ?? {}),
      beforeRegister: await hookOf(app, sender)
    })
  },
  { name: 'context', dependencies: ['config', 'db', 'passwords', 'settings'] }
)

/** Asks the hook of the app, then that of REGISTER_HOOK. Undefined without either. */
async function hookOf({ log, config, ownApp }: FastifyInstance, sender: Context['sender']) {
  const { REGISTER_HOOK: url, REGISTER_HOOK_SECRET: secret = '' } = config
  const own = ownApp?.definition.hooks
  if (!own && url === undefined) return undefined
  const { registrationHook, urlHook } = await import('../src/base/hooks.ts')
  const hooks = [own, url === undefined ? undefined : urlHook(sender, url, secret)]
  return registrationHook(hooks, (error) => {
    log.error({ err: error }, 'the hook of a registration failed')
  })
}
