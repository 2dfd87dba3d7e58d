import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from './load.ts'
import type { LoadedApp } from './load.ts'
import { callerIn } from './places.ts'

type Anything = (...args: unknown[]) => unknown
type Instance = FastifyInstance & Record<string, Anything>

/** Whether the portal uses a name, or Fastify. */
const decorations: Record<string, (app: Instance, name: string) => boolean> = {
  decorate: (app, name) => name in app,
  decorateRequest: (app, name) => app.hasRequestDecorator(name),
  decorateReply: (app, name) => app.hasReplyDecorator(name)
}
const inRequests = /^(onRequest|pre(Parsing|Validation|Handler|Serialization)|onSend|onError)$/

/** Refuses what an app must not do with the instance that it shares with the portal. */
export function guardInstance(instance: FastifyInstance, { folder, file }: LoadedApp) {
  const app = instance as Instance
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

  for (const [method, isTaken] of Object.entries(decorations)) {
    const own = new Set<unknown>()
    wrap(method, (on, args) => {
      const name = String(args[0])
      if (!own.has(name) && isTaken(on, name)) {
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
      ? ['preParsing', afterAccess(hook as OnRequest)]
      : [name, hook]
  })
}

type OnRequest = (
  this: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void
) => Promise<unknown> | undefined

/**
 * Runs a hook right after those of `onRequest`, and so after the access check. Before it, the hook
 * of an app would see requests that nobody has judged, and could answer them.
 */
const afterAccess = (hook: OnRequest) =>
  function hookAfterAccess(
    this: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
    _payload: unknown,
    done: (error?: Error) => void
  ) {
    // Its result is not a payload.
    return hook.call(this, request, reply, done)?.then(() => undefined)
  }
