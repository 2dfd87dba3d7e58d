import { cell, code, table } from './tables.ts'

interface Parameter {
  in: string
  name: string
  schema: { enum?: string[] }
}
interface Operation {
  summary: string
  tags?: string[]
  parameters?: Parameter[]
  'x-access': string
}
interface Document {
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
}
type Row = Operation & { name: string }

/** The operations that always exist by tag, those of the admin API, and the commands by key. */
export function operationTables(production: string, everything: string) {
  const [always, all] = [JSON.parse(production) as Document, JSON.parse(everything) as Document]
  assertTagged(operationsOf(all))
  const known = new Set(operationsOf(always).map(({ name }) => name))
  const others = operationsOf(all).filter(({ name }) => !known.has(name))
  return {
    operations: byTag(always, operationsOf(always)),
    'operations of the admin API': byTag(
      all,
      others.filter((row) => !isCommand(row))
    ),
    'operations of other systems': tableOf(others.filter(isCommand))
  }
}

const isCommand = ({ name }: Row) => name.includes(' /api/machine/')

const operationsOf = ({ paths }: Document): Row[] =>
  Object.entries(paths).flatMap(([url, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${url}`,
      ...operation
    }))
  )

/** Fails for an operation without a tag, which would be in no table. */
function assertTagged(operations: Row[]) {
  for (const { name, tags } of operations) {
    if (!tags) throw new Error(`${name} has no tag: set config.tag of its route`)
  }
}

const byTag = ({ tags }: Document, operations: Row[]) =>
  tags
    .map((tag) => ({ ...tag, rows: operations.filter(({ tags }) => tags?.includes(tag.name)) }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ name, description, rows }) => `#### ${name}\n\n${description}.\n\n${tableOf(rows)}`)
    .join('\n\n')

const tableOf = (rows: Row[]) =>
  table(
    ['operation', 'access', 'what it does'],
    rows.map((row) => [code(row.name), code(row['x-access']), cell(purposeOf(row))])
  )

function purposeOf({ summary, parameters = [] }: Row) {
  const queries = parameters.filter((each) => each.in === 'query')
  const isList = queries.some(({ name }) => name === 'cursor')
  const others = queries.filter(({ name }) => !['limit', 'cursor', 'sort'].includes(name))
  const sort = queries.find(({ name }) => name === 'sort')?.schema.enum ?? []
  const keys = new Set(sort.map((key) => key.replace('-', '')))
  return [
    summary,
    others.length > 0 &&
      `${isList ? 'filters' : 'parameters'} ${names(others.map(({ name }) => name))}`,
    keys.size > 0 && `sort ${names([...keys])}`
  ]
    .filter(Boolean)
    .join('; ')
}

const names = (words: string[]) => words.map(code).join(', ')
