import { readdirSync } from 'node:fs'
import path from 'node:path'
import autoload from '@fastify/autoload'
import type { FastifyInstance, preSerializationHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { isWebSocket } from '../http/methods.ts'
import { watchEventLoop } from './event-loop.ts'
import { most } from './faults.ts'
import type { OwnCode } from './allow.ts'
import { AppError, importFrom, toAppError } from './load.ts'
import type { LoadedApp } from './load.ts'
import { callerIn, placeOf } from './places.ts'
import { hiddenBy, nameOf, openParts, routeFaults } from './route-faults.ts'

/** The plugins and routes of the app, after those of the portal and under the same gates. */
export default fp<{ ownApp: LoadedApp }>(async (app, { ownApp }) => {
  const { ownCode } = app
  if (!ownCode) throw new Error('the portal was built without the app')
  const endLoading = checkRoutes(app, ownCode, ownApp)
  guardInstance(app as Instance, ownApp)
  watchFailures(app, ownCode, ownApp)
  try {
    // A scope of its own, so that its hooks are not those of the portal.
    await app.register(async function ownScope(scope) {
      for (const name of ['plugins', 'routes'] as const) {
        const dir = ownApp[name]
        if (dir === undefined) continue
        await assertPlugins(dir, ownApp)
        await scope.register(autoload, {
          dir,
          forceESM: true,
          ...(name === 'routes' && { autoHooks: true, options: { prefix: '/api' } })
        })
      }
    })
  } catch (error) {
    throw toAppError(error, ownApp)
  }
  endLoading()
})

/**
 * Judges each route that is added from now on. Returns a function that ends the loading: it throws
 * all mistakes. Those of a route that is added later are thrown at once.
 */
function checkRoutes(app: FastifyInstance, ownCode: OwnCode, ownApp: LoadedApp) {
  const { definition, folder, file } = ownApp
  const portal = [...ownCode.routes]
  const faults = new Set<string>()
  const names = new Set<string>()
  const watch = watchEventLoop(app, ownCode)
  let isLoading = true
  const report = () => {
    if (faults.size > 0) throw new AppError([...faults].join('\n'))
  }
  app.addHook('onRoute', function judgeRoute(this: FastifyInstance, route) {
    const allowed = ownCode.allowed.get(route)
    const plugin = this.pluginName.split(' -> ').at(-1)
    const place = callerIn(folder) ?? placeOf(allowed, folder) ?? `${file}, plugin ${plugin}`
    const name = nameOf(route)
    const hidden = hiddenBy(route, portal)
    if (!allowed) names.add(name)
    const found = [
      ...routeFaults(route, definition, allowed !== undefined),
      hidden && `would hide ${nameOf(hidden)} of the portal: choose another path`,
      names.size === most + 1 &&
        `is one more than the ${most} routes that an app can have: join some`
    ]
    for (const fault of found) if (fault) faults.add(`${place}: ${name} ${fault}`)
    if (!isLoading || hidden) report()
    // A change after this would not be judged: also one by a hook of a plugin of others.
    const config = { ...route.config }
    const access = { value: Object.freeze(config.access), writable: false, configurable: false }
    Object.defineProperty(config, 'access', access)
    Object.defineProperty(route, 'config', { value: config, writable: false, enumerable: true })
    if (isWebSocket(route)) {
      route.schema = { response: {}, ...route.schema, hide: true }
    } else {
      const hook = sendDeclared(`${place}: ${name}`, route.schema?.response)
      if (!allowed) route.preSerialization = [hook, ...[route.preSerialization ?? []].flat()]
      watch(route, name)
    }
    if (route.method === 'HEAD') return
    for (const part of openParts(route)) {
      app.log.warn(
        { place, route: name, part },
        'a request may have properties that its schema does not name: use closed({ … }), or add ' +
          'additionalProperties: false'
      )
    }
  })
  return () => {
    isLoading = false
    report()
  }
}

/** Fastify sends all of a response whose status has no schema: secrets, too. */
function sendDeclared(name: string, response: unknown = {}): preSerializationHookHandler<unknown> {
  const declared = new Set(Object.keys(response as object).map((status) => status.toLowerCase()))
  return function refuseUndeclared(_request, reply, payload, done) {
    const status = String(reply.statusCode)
    const names = [status, `${status.charAt(0)}xx`, 'default']
    const type = String(reply.getHeader('content-type'))
    const isProblem = type.startsWith('application/problem+json')
    if (isProblem || names.some((each) => declared.has(each))) return done(null, payload)
    const fault = `has no schema for a response with the status ${status}: add it to `
    done(new Error(`${name} ${fault}schema.response, because only what it names is sent`))
  }
}

/** Autoload leaves a file out that does not export a plugin, and says so at level debug only. */
async function assertPlugins(dir: string, ownApp: LoadedApp) {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' })
  const code = files.filter((file) => /(?<!\.d)\.[cm]?[jt]s$/.test(file)).sort()
  const indexes = code.filter((file) => path.parse(file).name === 'index')
  // Autoload loads the index of a folder only.
  const isHidden = (file: string) =>
    !indexes.includes(file) && indexes.some((each) => path.dirname(each) === path.dirname(file))
  for (const file of code.filter((file) => !isHidden(file))) {
    const full = path.join(dir, file)
    const { default: plugin } = await importFrom(full, ownApp.folder)
    const isRoute = typeof plugin === 'object' && plugin !== null && 'method' in plugin
    if (typeof plugin === 'function' || isRoute) continue
    throw new AppError(
      `${full}: the default export is not a plugin. Write: export default async (app) => { … }, ` +
        `or move the file out of ${dir}`
    )
  }
}

/** Logs and counts errors in the code of the app that nothing caught. They end the process. */
function watchFailures(app: FastifyInstance, { failures }: OwnCode, { folder }: LoadedApp) {
  const note = (error: unknown, origin: 'uncaughtException' | 'unhandledRejection') => {
    const place = placeOf(error, folder)
    if (place === undefined) return
    failures[origin]++
    app.log.error({ err: error, place, origin }, 'nothing caught an error of the app')
  }
  process.on('uncaughtExceptionMonitor', note)
  app.addHook('onClose', async function stopWatching() {
    process.off('uncaughtExceptionMonitor', note)
  })
}

type Anything = (...args: unknown[]) => unknown
type Instance = FastifyInstance & Record<string, Anything>

const inRequests = /^(onRequest|pre(Parsing|Validation|Handler|Serialization)|onSend|onError)$/

/** Refuses what an app must not do with the instance that it shares with the portal. */
function guardInstance(app: Instance, { folder, file }: LoadedApp) {
  /** Calls `before` whenever the app calls a method, which returns the arguments to pass on. */
  const wrap = (method: string, before: (on: Instance, args: unknown[]) => unknown[]) => {
    const call = app[method]!
    app[method] = function (this: Instance, ...args) {
      return call.apply(this, before(this, args))
    }
  }
  const refuse = (what: string) => {
    throw new AppError(`${callerIn(folder) ?? file}: ${what}`)
  }

  for (const what of ['', 'Request', 'Reply']) {
    const method = `decorate${what}`
    const own = new Set<unknown>()
    wrap(method, (on, args) => {
      const name = String(args[0])
      if (!own.has(name) && on[`has${what}Decorator`]?.(name)) {
        refuse(`app.${method}('${name}'): the portal uses this name. Choose another one`)
      }
      own.add(name)
      return args
    })
  }
  wrap('addHook', (on, [name, hook]) => {
    if (on === app && inRequests.test(String(name))) {
      refuse(
        `app.addHook('${String(name)}') would change the routes of the portal. Call it in a ` +
          'plugin: app.register(async (app) => { … })'
      )
    }
    return name === 'onRequest' && typeof hook === 'function'
      ? ['preParsing', afterAccess(hook as Anything)]
      : [name, hook]
  })
}

/**
 * Runs a hook right after those of `onRequest`, and so after the access check. Before it, the hook
 * of an app would see requests that nobody has judged, and could answer them.
 */
const afterAccess = (hook: Anything) =>
  function hookAfterAccess(this: unknown, ...[request, reply, , done]: unknown[]) {
    const result = hook.call(this, request, reply, done) as Promise<unknown> | undefined
    // It is not a payload.
    return result?.then(() => undefined)
  }
