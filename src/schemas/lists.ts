import { Type } from '@sinclair/typebox'
import type { TProperties, TSchema } from '@sinclair/typebox'
import { closed, plainText, ref, text } from './primitives.ts'

/**
 * The query of a list: its filters, the page and the sort key. The first key in `sorts` is the
 * default.
 */
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
      description: 'Maximum number of items on the page'
    }),
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        pattern: plainText,
        description: '`nextCursor` of the previous page, used with the same filters and sort'
      })
    ),
    sort: Type.Unsafe<Sort[number] | Opposite<Sort[number]>>({
      type: 'string',
      enum: both,
      default: sorts[0],
      description: 'Sort key; prefix with `-` for descending order'
    }),
    ...filters
  })
  // Parameters with a default are always set for the handler but need not be sent.
  return Object.assign(query, { required: [] as string[] })
}

type Opposite<Sort extends string> = Sort extends `-${infer Key}` ? Key : `-${Sort}`

export const NetworkFilter = Type.Optional(
  text(49, {
    minLength: 2,
    description: 'IP address of the client, or a network in CIDR notation',
    examples: ['203.0.113.0/24']
  })
)

/** The filter of a list by words of these texts. */
export const search = (texts: string) => ({
  q: Type.Optional(
    text(254, {
      minLength: 1,
      description:
        `Words in any order, each a part of ${texts}, with or without diacritics; fewer than ` +
        'three characters match only the beginning of a word',
      examples: ['beta']
    })
  )
})

/** For routes that change something with an ETag. */
export const ifMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      maxLength: 1000,
      pattern: plainText,
      description: 'ETag that the resource must still have for the request to succeed',
      examples: ['"3"']
    })
  )
})

/** For routes whose whole response has an ETag. */
export const ifNoneMatch = Type.Object({
  'if-none-match': Type.Optional(
    Type.String({
      maxLength: 1000,
      pattern: plainText,
      description:
        'ETag of an earlier response; if it still applies, the response is 304 without a body'
    })
  )
})

export const pageOf = <T extends TSchema>($id: string, item: T, description: string) =>
  closed(
    {
      items: Type.Array(ref(item), { maxItems: 200 }),
      nextCursor: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: 1024,
        pattern: '^[A-Za-z0-9_-]*$',
        description:
          'Value of `cursor` for the next page; null on the last page. With filters, a page may ' +
          'hold fewer than `limit` items although more follow'
      })
    },
    { $id, description }
  )
