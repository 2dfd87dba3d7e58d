import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'

// The applications that all test files of a process share, one for each configuration.

interface Shared {
  app: Promise<FastifyInstance>
  /** The tests that use it now. */
  users: number
  close: () => Promise<void>
}

/** By configuration, the one that was released last at the end. */
const shared = new Map<string, Shared>()
/** More would keep connections of the test server that other processes need, or memory of PGlite. */
const maxUnused = process.env.TEST_DATABASE_URL === 'pglite:memory' ? 1 : 4
const { setInterval } = globalThis

// test/runner/files.js disconnects when the last file has ended.
process.once('disconnect', async () => {
  for (const { close } of shared.values()) await close()
})

/**
 * The shared application of a configuration. The first test that needs it calls `start`, whose
 * teardowns run when no test uses the application any more.
 */
export async function sharedApp(
  t: Test,
  config: string,
  start: (life: Pick<Test, 'teardown'>) => Promise<FastifyInstance>
): Promise<FastifyInstance> {
  if (globalThis.setInterval !== setInterval) throw refusal('starting it with mocked timers')
  const own = shared.get(config) ?? begin(start)
  shared.set(config, own)
  own.users += 1
  t.teardown(async () => {
    own.users -= 1
    if (own.users > 0) return
    shared.delete(config)
    shared.set(config, own)
    const unused = [...shared].filter(([, { users }]) => users === 0)
    for (const [name, { close }] of unused.slice(0, -maxUnused)) {
      shared.delete(name)
      await close()
    }
  })
  const app = guarded(await own.app, 'app')
  handedOut.set(app, new Date())
  return app
}

const handedOut = new WeakMap<FastifyInstance, Date>()
/** When a test got this shared application; undefined for an own one. */
export const sharedSince = (app: FastifyInstance) => handedOut.get(app)

function begin(start: Parameters<typeof sharedApp>[2]): Shared {
  const ends: (() => unknown)[] = []
  const app = start({ teardown: (end: () => unknown) => ends.unshift(end) })
  return {
    app,
    users: 0,
    async close() {
      for (const end of ends) await end()
    }
  }
}

const changing = new Set(['listen', 'close', 'addHook', 'decorate', 'register', 'route'])

/** Throws when a test changes the application, its configuration, its services or its database. */
function guarded<T extends object>(target: T, path: string): T {
  const nameOf = (key: string | symbol) => `${path}.${String(key)}`
  const refuse = (key: string | symbol) => {
    throw refusal(nameOf(key))
  }
  return new Proxy(target, {
    get(_, key) {
      if (path.split('.').length < 3 && changing.has(String(key))) return () => refuse(key)
      const value: unknown = Reflect.get(target, key)
      const isInside = path !== 'app' || key === 'context' || key === 'config' || key === 'database'
      return isInside && isPlain(value) && !Object.isFrozen(target)
        ? guarded(value, nameOf(key))
        : value
    },
    set: (_, key) => refuse(key),
    defineProperty: (_, key) => refuse(key),
    deleteProperty: (_, key) => refuse(key)
  })
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const refusal = (what: string) =>
  new Error(`Other tests share this application: ${what} is refused. Use ownApp(t).`)
