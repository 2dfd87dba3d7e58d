import { Type } from '@sinclair/typebox'
import type { IntegerOptions, Static, StringOptions, TProperties, TSchema } from '@sinclair/typebox'
import { uuidForm } from '../../db/schema/columns.ts'
import { descriptionLength } from '../../db/schema/roles.ts'

/** Response headers by lowercase name. */
export type Headers = Record<
  string,
  {
    type: string
    description: string
    maxLength?: number
    minimum?: number
    maximum?: number
    pattern?: string
    format?: string
  }
>

/**
 * A reference to a component by its $id, typed as the component (a bare Type.Ref is not). For a
 * response, with its description and headers.
 */
export const ref = <T extends TSchema>(schema: T, description?: string, headers?: Headers) =>
  Type.Unsafe<Static<T>>({
    ...Type.Ref(schema.$id ?? ''),
    ...(description && { description }),
    ...(headers && { headers })
  })

export const oneOf = <const T extends readonly string[]>(
  words: T,
  options: { description?: string; default?: T[number] } = {}
) => Type.Unsafe<T[number]>({ type: 'string', enum: words, ...options })

export const nullable = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({
    ...schema,
    type: [schema.type, 'null'],
    ...(schema.enum && { enum: [...schema.enum, null] })
  })

/** An object with these properties and no others. */
export const closed = <T extends TProperties>(
  properties: T,
  options: {
    $id?: string
    description?: string
    minProperties?: number
    maxProperties?: number
    /** For a request, the first one is what the reference page sends by default. */
    examples?: object[]
  } = {}
) => Type.Object(properties, { additionalProperties: false, ...options })

export const NoContent = (description: string, headers?: Headers) =>
  Type.Unsafe<undefined>({ type: 'null', description, ...(headers && { headers }) })

/** A page for browsers, as text. */
export const HtmlPage = (description: string) => ({
  description,
  content: { 'text/html': { schema: Type.String({ maxLength: 20_000 }) } }
})

/**
 * A Date in the handler, or a string where it is sent often; RFC 3339 with milliseconds on the
 * wire.
 */
export const Timestamp = (description: string) =>
  Type.Unsafe<Date | string>({
    type: 'string',
    format: 'date-time',
    maxLength: 24,
    description,
    examples: ['2026-01-31T09:30:00.000Z']
  })

/** Lowercase only, as ids are issued: each id has one spelling. */
export const Id = (description: string) =>
  Type.String({
    format: 'uuid',
    maxLength: 36,
    pattern: uuidForm.source,
    description,
    examples: ['0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e']
  })

export const integer = (
  minimum: number,
  maximum: number,
  description: string,
  options: IntegerOptions = {}
) => Type.Integer({ minimum, maximum, format: 'int32', description, ...options })

export const Count = (description: string) =>
  Type.Integer({ format: 'int32', minimum: 0, maximum: 2_147_483_647, description, examples: [1] })

/** No control characters, unpaired surrogates or bidirectional control characters. */
export const plainText = '^[^\\p{Cc}\\p{Cs}\\u202A-\\u202E\\u2066-\\u2069]*$'
/**
 * The document has this instead of `plainText`. Clients compile patterns with and without the `u`
 * flag, so it names no classes and no surrogates.
 */
export const publishedPlainText =
  '^[^\\u0000-\\u001F\\u007F-\\u009F\\u202A-\\u202E\\u2066-\\u2069]*$'

/**
 * The document has these limits of a field of a request instead of the limits that validation has,
 * which only bound the work there: the domain checks the length after normalization, together with
 * the other fields.
 */
export const published = (limits: StringOptions) => ({ 'x-published': limits })

/** Text written or read by people. `maxLength` is in code points, as JSON Schema defines it. */
export const text = (maxLength: number, options: StringOptions = {}) =>
  Type.String({ maxLength, pattern: plainText, ...options })

/** A description in a request. */
export const newDescription = (options: StringOptions) =>
  text(4 * descriptionLength.max, {
    description: `At most ${descriptionLength.max} characters`,
    ...published({ maxLength: descriptionLength.max }),
    ...options
  })

/** Media types of the body of a PATCH, which is always a merge patch (RFC 7396). */
export const patchTypes = ['application/json', 'application/merge-patch+json']

export const headers = {
  etag: {
    etag: {
      type: 'string',
      maxLength: 60,
      pattern: '^"[0-9.]+-[A-Za-z0-9_-]{12}"$',
      description: 'Revision of the resource and tag of its content, for If-Match and If-None-Match'
    }
  },
  contentTag: {
    etag: {
      type: 'string',
      maxLength: 60,
      pattern: '^"[A-Za-z0-9_-]+"$',
      description: 'Tag of this response, for If-None-Match'
    }
  },
  location: {
    location: {
      type: 'string',
      maxLength: 200,
      format: 'uri-reference',
      description: 'Path of the created resource'
    }
  },
  redirect: {
    location: {
      type: 'string',
      maxLength: 1000,
      format: 'uri',
      description: 'Where the browser is led'
    }
  },
  acceptPatch: {
    'Accept-Patch': {
      type: 'string',
      maxLength: 100,
      description: 'Media types of the body that the portal accepts (RFC 5789)'
    }
  },
  link: {
    link: {
      type: 'string',
      maxLength: 3000,
      pattern: '^<.+>; rel="next"$',
      description: 'Link to the next page (RFC 8288), unless this is the last page'
    }
  },
  setCookie: {
    'Set-Cookie': {
      type: 'string',
      maxLength: 1700,
      pattern: '=',
      description: 'A cookie that is set or cleared; the header can be there several times'
    }
  },
  contentDisposition: {
    'Content-Disposition': {
      type: 'string',
      maxLength: 100,
      pattern: '^attachment; ',
      description: 'Makes browsers save the response as a file'
    }
  },
  activeKeys: {
    'Portal-Active-Keys': {
      type: 'integer',
      minimum: 1,
      maximum: 50,
      format: 'int32',
      description: 'Number of API keys of the user that still work; left out if there are none'
    }
  },
  requestId: {
    'X-Request-Id': {
      type: 'string',
      format: 'uuid',
      maxLength: 36,
      description: 'Id of the request, as in the log and the audit trail'
    }
  },
  retryAfter: {
    'Retry-After': {
      type: 'integer',
      minimum: 1,
      maximum: 259_200,
      format: 'int32',
      description: 'Seconds to wait before the next attempt'
    }
  }
} as const satisfies Record<string, Headers>

/** A response that has a tag of its content. */
export const tagged = <T extends TSchema>(schema: T): T => ({
  ...schema,
  headers: headers.contentTag
})

/** Where the tag in If-None-Match still applies. */
export const unchanged = NoContent(
  'The response has not changed since the ETag in If-None-Match',
  headers.contentTag
)
