import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import t from 'tap'
import { documentOf } from '../../src/document.ts'
import { ownApp } from '../support/app.ts'
import { root } from '../support/root.ts'

const documents = {
  production: readFileSync(path.join(root, 'openapi/portal.json'), 'utf8'),
  development: await documentOf('development', { commands: true })
}

const opening = { SCOPES_SELF: 'project:owner' }

for (const [mode, document] of Object.entries(documents)) {
  t.test(`the document of ${mode} is served (else: npm run generate)`, async (t) => {
    const app = await ownApp(
      t,
      mode === 'production'
        ? { development: false, PUBLIC_ORIGIN: 'https://portal.example.com', ...opening }
        : { MACHINE_ADMIN: 'on', ...opening }
    )
    t.same(JSON.parse(document), (await app.inject('/openapi.json')).json())
  })
}

/** Every object in the document, with its place. */
function* nodesOf(part: unknown, place = ''): Generator<[string, Record<string, unknown>]> {
  if (part === null || typeof part !== 'object') return
  if (!Array.isArray(part)) yield [place, part as Record<string, unknown>]
  for (const [name, child] of Object.entries(part)) yield* nodesOf(child, `${place}/${name}`)
}

for (const [mode, document] of Object.entries(documents)) {
  const nodes = [...nodesOf(JSON.parse(document))]

  t.test(`generators can carry every pattern in the document of ${mode}`, async (t) => {
    const patterns = nodes.flatMap(([place, { pattern }]) =>
      typeof pattern === 'string' ? [{ place, pattern }] : []
    )
    t.ok(patterns.length > 50, 'there are patterns')
    const samples = [
      'Ada Lovelace',
      'Zoë 🦉',
      'a\0b',
      'a\nb',
      '\u009f',
      '\u202e',
      '\u2066',
      'a-b.c'
    ]
    for (const { place, pattern } of patterns) {
      t.notMatch(pattern, /\\[pP]\{|\\u\{|\\u[dD][89a-fA-F]|[^\x20-\x7e]/, place)
      const [plain, unicode] = [new RegExp(pattern), new RegExp(pattern, 'u')]
      t.same(
        samples.filter((sample) => plain.test(sample)),
        samples.filter((sample) => unicode.test(sample)),
        `${place}: the same with and without the u flag`
      )
    }
  })

  t.test(`no schema in the document of ${mode} has keywords for several types`, async (t) => {
    t.same(
      nodes.flatMap(([place, { type, enum: values }]) =>
        Array.isArray(type) && values === undefined ? [place] : []
      ),
      []
    )
    t.same(
      nodes.flatMap(([place, node]) => ('x-published' in node ? [place] : [])),
      []
    )
  })
}

t.test('the document has the limits of passwords, names and addresses', async (t) => {
  const { Registration, Credentials, Name } = JSON.parse(documents.production).components.schemas
  t.match(Registration.properties, {
    email: { minLength: 3, maxLength: 254, format: 'idn-email' },
    password: { minLength: 8, maxLength: 128 },
    name: { minLength: 1, maxLength: 80 }
  })
  t.match(Name.properties.name, { minLength: 1, maxLength: 80 })
  // An old password may be shorter than a new one has to be.
  t.match(Credentials.properties.password, { minLength: undefined, maxLength: 128 })
})

interface Body {
  content: Record<string, { schema: object; example?: unknown }>
}
interface Documented {
  components: object
  paths: Record<string, Record<string, { requestBody?: Body }>>
}
for (const [mode, text] of Object.entries(documents)) {
  t.test(`every body in the document of ${mode} has an example, which is valid`, async (t) => {
    const document = JSON.parse(text) as Documented
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    ajv.addFormat('idn-email', true)
    ajv.addSchema({ ...document, $id: 'openapi' })
    const escape = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')
    const wrong: string[] = []
    let bodies = 0
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, { requestBody }] of Object.entries(item)) {
        for (const [type, { example }] of Object.entries(requestBody?.content ?? {})) {
          bodies++
          const place = ['paths', path, method, 'requestBody', 'content', type, 'schema']
          const pointer = place.map(escape).join('/')
          const validate = ajv.compile({ $ref: `openapi#/${pointer}` })
          if (!validate(example)) {
            wrong.push(`${method} ${path}: ${ajv.errorsText(validate.errors)}`)
          }
        }
      }
    }
    t.ok(bodies > 30, `${bodies} bodies`)
    t.same(wrong, [])
  })

  t.test(`a merge patch has two media types in the document of ${mode}`, async (t) => {
    for (const item of Object.values((JSON.parse(text) as Documented).paths)) {
      if (!item.patch) continue
      t.same(Object.keys(item.patch.requestBody?.content ?? {}), [
        'application/json',
        'application/merge-patch+json'
      ])
    }
  })

  t.test(`null is nothing but null in the document of ${mode}`, async (t) => {
    const branches = [...nodesOf(JSON.parse(text))].flatMap(([place, node]) =>
      node.type === 'null' && Object.keys(node).length > 1 ? [place] : []
    )
    t.same(branches, [])
  })
}

t.test('every refusal of a check declares the header that repeats it', async (t) => {
  const { paths } = JSON.parse(documents.production)
  const { 204: allowed, ...refusals } = paths['/api/auth/check'].get.responses
  t.notOk('Portal-Problem' in allowed.headers)
  t.ok('401' in refusals && '503' in refusals)
  for (const status of Object.keys(refusals)) {
    t.match(refusals[status].headers, { 'Portal-Problem': {} }, status)
  }
})
