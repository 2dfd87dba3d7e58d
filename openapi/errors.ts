import path from 'node:path'
import { fieldCodes } from '../src/problems/fields.ts'
import { problems } from '../src/problems/list.ts'
import type { ProblemCode } from '../src/problems/list.ts'
import { flowProblems } from '../src/problems/providers.ts'

interface Response {
  $ref?: string
  content?: Record<string, { schema: { allOf?: { properties?: { code?: { enum: string[] } } }[] } }>
}
interface Document {
  paths: Record<
    string,
    Record<string, { operationId: string; responses: Record<string, Response> }>
  >
  components: { responses: Record<string, Response> }
}

export const errorsFile = path.join(import.meta.dirname, '../docs/lookup/errors.md')

/** A code that more operations than this can send does not name them. */
const mostNamed = 6

/**
 * docs/lookup/errors.md: every code in the list, with the operations that can send it: those of
 * development, or of the console for codes that only it has.
 */
export function errorsPage(development: string, console: string): string {
  const operationsOf = new Map<string, string[]>([
    ...operationsByCode(JSON.parse(console) as Document),
    ...operationsByCode(JSON.parse(development) as Document),
    ...flowProblems.map((code): [string, string[]] => [code, ['finishProviderFlow']])
  ])
  const rows = (Object.keys(problems) as ProblemCode[])
    .sort((a, b) => problems[a].status - problems[b].status || (a < b ? -1 : 1))
    .map((code) => {
      const { status, detail, hint } = problems[code]
      const operations = named(operationsOf.get(code))
      return `| \`${code}\` | ${status} | ${detail} | ${sentence(hint)} | ${operations} |`
    })
  return `# Problem codes

<!-- Generated from src/problems by npm run generate. Do not edit. -->

Every code that a [problem document](api.md#problems) can have, and every code of a
field error. A published code never changes. The [OpenAPI documents](api.md) list the codes of each
operation, so that generated types narrow them. In development, \`/problems/{code}\` shows one code as
a page.

- [Problems](#problems)
- [Field errors](#field-errors)

## Problems

\`detail\` stands alone: show it to the user as it is. Some occurrences have a \`detail\` that says
more, such as how long to wait. The hints are for developers and not part of the document.

| code | status | \`detail\`, for users | hint, for developers | operations |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

\`request-rejected\` can have any status from 400 to 499.

## Field errors

With 400 \`invalid-request\`, each entry of \`errors\` has one of these codes:

| code | meaning |
| --- | --- |
${Object.entries(fieldCodes)
  .map(([code, meaning]) => `| \`${code}\` | ${meaning} |`)
  .join('\n')}
`
}

function operationsByCode({ paths, components }: Document) {
  const found = new Map<string, string[]>()
  for (const { operationId, responses } of Object.values(paths).flatMap((item) =>
    Object.values(item)
  )) {
    for (const own of Object.values(responses)) {
      const { content = {} } = components.responses[own.$ref?.split('/').at(-1) ?? ''] ?? own
      const codes = Object.values(content).flatMap(({ schema }) => schema.allOf?.[1] ?? [])
      for (const code of codes.flatMap(({ properties }) => properties?.code?.enum ?? [])) {
        found.set(code, [...(found.get(code) ?? []), operationId])
      }
    }
  }
  return found
}

const sentence = (hint?: string) => (hint === undefined ? '' : `${hint}.`)

function named(operations: string[] = []) {
  if (operations.length === 0) return 'none'
  if (operations.length > mostNamed) return `${operations.length} operations`
  return operations.map((operation) => `\`${operation}\``).join(', ')
}
