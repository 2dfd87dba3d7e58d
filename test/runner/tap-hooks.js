import asyncHooks, { AsyncLocalStorage } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

// tap follows every promise with an async hook, so that it can blame an error that nobody caught on
// the test that began it. That takes a sixth of the time of all tests. test/runner/files.js blames the
// file that is running instead. AsyncLocalStorage does not use this function.
asyncHooks.createHook = () => ({ enable() {}, disable() {} })
syncBuiltinESMExports()

// After its first use, a storage follows every promise of the process. That of `oidc-provider` has to
// do so only while one of its requests runs.
const { run } = AsyncLocalStorage.prototype
const running = new Map()
AsyncLocalStorage.prototype.run = function (...args) {
  running.set(this, (running.get(this) ?? 0) + 1)
  const end = () => {
    const left = (running.get(this) ?? 0) - 1
    running.set(this, left)
    if (left === 0) this.disable()
  }
  const result = run.apply(this, args)
  Promise.resolve(result).then(end, end)
  return result
}

// To name a plugin in errors, Fastify compares it with all CommonJS modules unless it has a name. With
// the modules of the tests, that takes a fifth of the start of an application.
// eslint-disable-next-line no-extend-native
Function.prototype[Symbol.for('fastify.display-name')] = 'plugin'
