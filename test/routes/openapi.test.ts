import t from 'tap'
import { Validator } from '@seriousme/openapi-schema-validator'
import { testApp } from '../support/app.ts'

interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: object[]
  responses: Record<string, { description: string; content?: object }>
  'x-access': string
}

const development = await testApp(t)
const production = await testApp(t, {
  development: false,
  PUBLIC_ORIGIN: 'https://portal.example.com'
})
const documentOf = async (app: typeof development) => (await app.inject('/openapi.json')).json()
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, Operation['responses'][string]> }
}
/** The operations, with the responses that they share. */
const operationsOf = ({ paths, components }: Document) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      where: `${method} ${path}`,
      ...operation,
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, own]) => [
          status,
          '$ref' in own ? (components.responses[String(own.$ref).split('/')[3] ?? ''] ?? own) : own
        ])
      )
    }))
  )

t.test('the document is valid OpenAPI 3.1 in both modes', async (t) => {
  for (const app of [development, production]) {
    const document = await documentOf(app)
    t.match(document.openapi, /^3\.1\./)
    const result = await new Validator().validate(document)
    t.equal(result.valid, true, JSON.stringify(result.errors))
  }
})

t.test('components have their own names and operations refer to them', async (t) => {
  const [document, { components }] = [await documentOf(development), await documentOf(production)]
  const names = Object.keys(components.schemas)
  t.ok(names.length > 40)
  const ofAdministration = ['User', 'NewUser', 'UserPage', 'Role', 'Session', 'Overview']
  t.same(
    names.filter((name) => name.startsWith('def-') || ofAdministration.includes(name)),
    [],
    'in production nothing of administration'
  )
  t.same(
    ofAdministration.filter((name) => !(name in document.components.schemas)),
    []
  )
  t.equal(
    document.paths['/api/auth/login'].post.requestBody.content['application/json'].schema.$ref,
    '#/components/schemas/Credentials'
  )
})

t.test(
  'every operation has a unique id, a summary, an access policy and described responses',
  async (t) => {
    const operations = operationsOf(await documentOf(development))
    t.equal(new Set(operations.map((operation) => operation.operationId)).size, operations.length)
    const missing = operations.flatMap(({ where, responses, ...operation }) => {
      const { operationId, summary, description, tags } = operation
      const isGiven: Record<string, unknown> = {
        operationId: /^[a-z][A-Za-z]+$/.test(operationId),
        summary: /\S/.test(summary),
        description: /\S/.test(description),
        tags: /\S/.test(tags[0] ?? ''),
        access: operation['x-access'],
        500: responses['500']
      }
      for (const [status, { description }] of Object.entries(responses)) {
        isGiven[status] = description !== 'Default Response'
      }
      return Object.keys(isGiven)
        .filter((name) => !isGiven[name])
        .map((name) => `${name} of ${where}`)
    })
    t.same(missing, [])
  }
)

t.test('operations that need a session declare it, with the cookie of the mode', async (t) => {
  const [dev, prod] = [await documentOf(development), await documentOf(production)]
  t.same(dev.paths['/api/auth/me'].get.security, [{ session: [] }])
  t.same(dev.paths['/api/auth/login'].post.security, [])
  t.match(dev.components.securitySchemes.session, {
    type: 'apiKey',
    in: 'cookie',
    name: 'portal_session'
  })
  t.match(prod.components.securitySchemes.session, { name: '__Host-portal_session' })
})

t.test('login, register and the session check declare every possible status', async (t) => {
  const { paths } = await documentOf(development)
  t.same(Object.keys(paths['/api/auth/login'].post.responses), [
    '200',
    '202',
    '400',
    '401',
    '403',
    '408',
    '413',
    '414',
    '415',
    '417',
    '421',
    '429',
    '431',
    '500',
    '503',
    '505'
  ])
  t.same(Object.keys(paths['/api/auth/register'].post.responses), [
    '201',
    '202',
    '400',
    '403',
    '408',
    '409',
    '413',
    '414',
    '415',
    '417',
    '421',
    '428',
    '429',
    '431',
    '500',
    '503',
    '505'
  ])
  t.same(Object.keys(paths['/api/auth/me'].get.responses), [
    '200',
    '400',
    '401',
    '403',
    '408',
    '409',
    '414',
    '417',
    '421',
    '431',
    '500',
    '503',
    '505'
  ])
})

t.test('descriptions of responses begin with a capital letter', async (t) => {
  const small = operationsOf(await documentOf(development)).flatMap(({ where, responses }) =>
    Object.entries(responses)
      .filter(([, { description }]) => /^[a-z]/.test(description))
      .map(([status]) => `${where} ${status}`)
  )
  t.same(small, [])
})
