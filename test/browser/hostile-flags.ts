import { sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../db/engine.ts'
import { flagEvaluations, flagRevisions, flags, segments } from '../../db/schema/flags.ts'
import { description, key, longAddress, names, wide } from './hostile-texts.ts'

export const flag = key(80)
export const segment = `b${key(79)}`

/** Flags, most of them stale, deleted ones, and segments; one has a history and evaluations. */
export async function insertFlags(db: Db, role: string) {
  const variant = (n: number) => `${n}${wide(79)}`
  const of = { state: 'enabled', public: true, permanent: false, description } as const
  const definition = {
    ...of,
    type: 'string' as const,
    variants: { [variant(1)]: wide(1000), [variant(2)]: names[0] },
    defaultVariant: variant(1),
    offVariant: variant(2),
    rules: [
      {
        when: {
          rolesAny: [role],
          segmentsAny: [segment, `1-${segment.slice(3)}`],
          users: [wide(80), names[0]],
          attributes: [{ name: wide(80), op: 'in' as const, values: [wide(256), names[2]] }],
          from: '9999-12-30T23:59:59.999Z',
          until: '9999-12-31T23:59:59.999Z'
        },
        serve: {
          split: [
            { variant: variant(1), weight: 33_333 },
            { variant: variant(2), weight: 66_667 }
          ]
        }
      }
    ]
  }
  await db.insert(flags).values([
    { key: flag, ...definition },
    ...Array.from({ length: 49 }, (_, n) => ({
      key: `${n}-${key(70)}`,
      ...of,
      type: 'object' as const,
      variants: { [variant(1)]: { [wide(300)]: names[0] } },
      defaultVariant: variant(1),
      offVariant: variant(1),
      rules: [],
      updatedAt: sql`now() - interval '31 days'`
    }))
  ])
  const change = {
    kind: 'flag',
    actorType: 'user',
    actorId: uuid(),
    actorLabel: longAddress('n0')
  } as const
  const fields = ['description', 'rules', 'variants']
  await db.insert(flagRevisions).values([
    ...Array.from({ length: 50 }, (_, n) => ({
      ...change,
      key: flag,
      version: n + 1,
      change: n === 0 ? ('create' as const) : ('update' as const),
      fields,
      definition:
        n % 2 === 1
          ? definition
          : { ...definition, description: names[0], defaultVariant: variant(2), rules: [] }
    })),
    ...Array.from({ length: 50 }, (_, n) => `${n}-deleted-${key(60)}`).flatMap((key) => [
      { ...change, key, version: 1, change: 'create' as const, fields, definition },
      { ...change, key, version: 2, change: 'delete' as const, fields: [], definition: null }
    ])
  ])
  const when = {
    rolesAny: [role],
    users: Array.from({ length: 1000 }, (_, n) => `${n}${wide(30)}`),
    attributes: [{ name: wide(80), op: 'notIn' as const, values: [wide(256), names[2]] }]
  }
  const keys = [segment, ...Array.from({ length: 30 }, (_, n) => `${n}-${segment.slice(3)}`)]
  await db.insert(segments).values(keys.map((key) => ({ key, description, when })))
  await db.insert(flagRevisions).values(
    [
      {
        version: 1,
        change: 'create' as const,
        fields: [],
        definition: { description: names[0], when: { ...when, users: when.users.slice(500) } }
      },
      {
        version: 2,
        change: 'update' as const,
        fields: ['description', 'when'],
        definition: { description, when }
      }
    ].map((revision) => ({ ...change, ...revision, kind: 'segment' as const, key: segment }))
  )
  await db.insert(flagEvaluations).values(
    Array.from({ length: 6 }, (_, n) => ({
      flagKey: flag,
      day: sql`(now() at time zone 'UTC')::date`,
      variant: variant(n),
      kind: 'bulk' as const,
      count: 10 ** (15 - n)
    }))
  )
}
