import type { components, paths } from '../../openapi/api.d.ts'

type OwnPath = Exclude<
  Extract<keyof paths, `/api/${'auth' | 'user' | 'scopes'}/${string}` | '/api/scopes'>,
  '/api/auth/check'
>
type CodesIn<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses]: Responses[Status] extends {
        content: { 'application/problem+json': { code?: infer Code } }
      }
        ? Extract<Code, string>
        : never
    }[keyof Responses]
  : never

/** Every code with which the portal can reject a call for users. */
type KnownCode = Extract<
  {
    [Path in OwnPath]: {
      [Method in keyof paths[Path]]: CodesIn<paths[Path][Method]>
    }[keyof paths[Path]]
  }[OwnPath],
  string
>

/**
 * A sentence for each problem that the common ones leave out, and for which an app has no words of
 * its own.
 */
export type ProblemWords<Common> = Record<
  Exclude<`problem.${KnownCode}`, keyof Common | 'problem.registration-refused'>,
  string
>

/** A sentence for each mistake in a field. In English, the portal says it, in more detail. */
export type FieldWords = Record<`field.${components['schemas']['FieldCode']}`, string>
