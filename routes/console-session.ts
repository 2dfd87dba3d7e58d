import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { DomainError } from '../src/domain/errors.ts'
import { ConsoleFacts, ConsoleLink, ConsoleToken } from '../src/schemas/console.ts'
import { SignInOptions } from '../src/schemas/emails.ts'
import { closed, NoContent, ref } from '../src/schemas/primitives.ts'
import { problem } from '../src/schemas/problem.ts'
import { CurrentUser } from '../src/schemas/users.ts'

const tag = 'console'

/** The session of `portal console`. No other process loads this file. */
export default (async (app) => {
  const { operator, config } = app
  if (!operator) throw new Error('a console needs an operator')

  app.post('/api/console/session', {
    config: { access: 'public', tag, changesNothing: true },
    bodyLimit: 4096,
    schema: {
      operationId: 'startConsole',
      summary: 'Exchange a link for a token',
      description:
        'Exchanges the secret of the link that the terminal printed for a bearer token. A link ' +
        'works once, and its token replaces the previous one. Ten wrong links end the console.',
      body: ref(ConsoleLink),
      response: {
        200: ref(ConsoleToken, 'The token of the page'),
        401: problem('The link was used, or there is a newer one', 'console-ended')
      }
    },
    handler: async ({ body, headers }) => {
      const token = operator.access.redeem(body.link)
      if (token === undefined) throw new DomainError('console-ended', { detail: usedLink })
      operator.onConnected(headers['user-agent'])
      return { token }
    }
  })

  app.get('/api/console/session', {
    config: { access: 'session', tag },
    schema: {
      operationId: 'getConsole',
      summary: 'Get what this console is',
      description: 'Returns where the console is, and whether it may change something.',
      response: { 200: ref(ConsoleFacts, 'The console') }
    },
    handler: async () => ({
      environment: config.NODE_ENV,
      canWrite: operator.canWrite,
      keepsSettings: app.settings !== undefined,
      operator: operator.actor.label,
      database: operator.database
    })
  })

  app.delete('/api/console/session', {
    config: { access: 'session', tag, changesNothing: true },
    schema: {
      operationId: 'endConsole',
      summary: 'End the console',
      description: 'Ends the process, as Ctrl-C in its terminal does.',
      response: { 204: NoContent('The console ends') }
    },
    handler: async () => operator.end()
  })

  app.get('/api/auth/session', {
    config: { access: 'session', tag },
    schema: {
      operationId: 'getOperator',
      summary: 'Get the operator',
      description: 'Returns the operator as a user with every permission, for the pages.',
      response: {
        200: closed({ user: ref(CurrentUser) }, { description: 'The operator' })
      }
    },
    handler: async ({ user }) => ({ user })
  })

  app.get('/api/auth/options', {
    config: { access: 'session', tag },
    schema: {
      operationId: 'getConsoleOptions',
      summary: 'Get the options of the pages',
      description:
        'Returns that nobody registers or signs in here, and whether the portal mails links.',
      response: { 200: ref(SignInOptions, 'The options of the console') }
    },
    handler: async () => ({
      registration: 'closed' as const,
      emailVerification: 'off' as const,
      passwordReset: app.context.mail !== undefined,
      passwordMinLength: config.PASSWORD_MIN_LENGTH,
      providers: [],
      providersByDomain: false,
      deletionGraceDays: 0,
      passkeys: false,
      accountUrl: null
    })
  })
}) satisfies FastifyPluginAsyncTypebox

const usedLink =
  'This link was used already, or there is a newer one. Press Enter in the terminal of the ' +
  'console, and open the link that it prints.'
