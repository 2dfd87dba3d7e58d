import { Type } from '@sinclair/typebox'
import type { Static, TArray, TProperties, TSchema, TUnsafe } from '@sinclair/typebox'
import { closed, plainText, ref } from './primitives.ts'

/** The query of a list: its filters, and which page of it in which order. The first order given is the default. */
export function listQuery<
  const Sort extends readonly [string, ...string[]],
  Filters extends TProperties
>(sorts: Sort, filters: Filters) {
  const both = sorts.flatMap((sort) => [sort.replace('-', ''), `-${sort.replace('-', '')}`])
  const query = closed({
    limit: Type.Integer({
      minimum: 1,
      maximum: 200,
      default: 50,
      format: 'int32',
      description: 'How many at most'
    }),
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        pattern: plainText,
        description: '`nextCursor` of the page before, with the same filters and sort'
      })
    ),
    sort: Type.Unsafe<Sort[number] | Opposite<Sort[number]>>({
      type: 'string',
      enum: both,
      default: sorts[0],
      description: 'The order; a minus turns it round'
    }),
    ...filters
  })
  // What has a default is there for the handler, and need not be sent.
  return { ...query, required: [] as string[] }
}

type Opposite<Sort extends string> = Sort extends `-${infer Key}` ? Key : `-${Sort}`

/** For routes that change what has an ETag. */
export const ifMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      maxLength: 1000,
      pattern: plainText,
      description: 'Only change it when it still has this ETag',
      examples: ['"3"']
    })
  )
})

/** For routes whose whole answer has an ETag. */
export const ifNoneMatch = Type.Object({
  'if-none-match': Type.Optional(
    Type.String({
      maxLength: 1000,
      pattern: plainText,
      description: 'Nothing is sent when the answer still has this ETag'
    })
  )
})

/** A page of a list as it is sent. */
export const pageOf = <T extends TSchema>($id: string, item: T, description: string) =>
  closed(
    {
      items: Type.Array(ref(item), { maxItems: 200 }) as unknown as TArray<TUnsafe<Static<T>>>,
      nextCursor: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: 1024,
        pattern: '^[A-Za-z0-9_-]*$',
        description:
          'Send it as `cursor` for the next page; null on the last. A page before the last may hold fewer items than asked for, where a filter finds little'
      })
    },
    { $id, description }
  )
