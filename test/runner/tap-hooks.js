import asyncHooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

// tap follows every promise with an async hook, so that it can blame an error that nobody caught on
// the test that began it. That takes a sixth of the time of all tests. test/runner/files.js blames the
// file that is running instead. AsyncLocalStorage does not use this function.
asyncHooks.createHook = () => ({ enable() {}, disable() {} })
syncBuiltinESMExports()

// To name a plugin in errors, Fastify compares it with all CommonJS modules unless it has a name. With
// the modules of the tests, that takes a fifth of the start of an application.
// eslint-disable-next-line no-extend-native
Function.prototype[Symbol.for('fastify.display-name')] = 'plugin'
