import type { FastifyBaseLogger, InjectOptions } from 'fastify'
import type { Test } from 'tap'
import type { Database } from '../../db/client.ts'
import { buildApp } from '../../src/app.ts'
import type { LoadedApp } from '../../src/base/load.ts'
import type { Config } from '../../src/config/config.ts'
import { createConsoleAccess } from '../../src/http/operator.ts'
import type { Operator } from '../../src/http/operator.ts'
import { started, testDatabase } from './app.ts'
import { testConfig } from './test-config.ts'

interface Options extends Partial<Config> {
  canWrite?: boolean
  database?: Database
  logger?: FastifyBaseLogger
  ownApp?: LoadedApp
}

/** The console of an operator called ada, in front of a portal in production. */
export async function testConsole(t: Test, options: Options = {}) {
  const { canWrite = false, database, logger, ownApp, ...changes } = options
  const happened: string[] = []
  const happen = (what: string) => {
    happened.push(what)
  }
  const access = createConsoleAccess(() => happen('guessing'))
  const operator: Operator = {
    actor: { type: 'cli', source: 'cli', label: 'ada' },
    canWrite,
    access,
    database: 'PostgreSQL at db.example.com/portal',
    machine: 'db-1',
    onSeen: () => happen('seen'),
    onConnected: (userAgent) => happen(`connected: ${userAgent}`),
    onChange: () => happen('change'),
    end: () => happen('end')
  }
  const config = testConfig({
    development: false,
    PUBLIC_ORIGIN: 'https://portal.example.com',
    ALLOWED_HOSTS: ['portal.internal'],
    ...changes
  })
  const app = await started(
    t,
    buildApp(config, {
      operator,
      ownApp,
      database: database ?? (await testDatabase(t)),
      ...(logger && { logger })
    })
  )
  const send = (
    method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
    headers: InjectOptions['headers'] = {}
  ) => app.inject({ method, url, headers, ...(payload && { payload }) })
  /** Exchanges the secret of a link. */
  const connect = (link: string) => send('POST', '/api/console/session', { link })
  const { token } = (await connect(access.issueLink())).json<{ token: string }>()
  const authorization = `Bearer ${token}`
  return {
    app,
    access,
    token,
    /** What the command was told. */
    happened,
    send,
    connect,
    /** A request of the page. */
    call: (...[method, url, payload, headers]: Parameters<typeof send>) =>
      send(method, url, payload, { authorization, ...headers })
  }
}
