import { isRejected } from './refusals.ts'
import type { Problem } from './refusals.ts'

/** Sentences by `problem.<code>`, and those of `common` in `src/common/words`. */
type Words = Partial<Record<string, string>>

/** Replaces the placeholders. */
export const fill = (text: string, values: Record<string, string | number>) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

/** The problem of a rejected call, or of the `error` that a call without `ok` returns. */
export function problemOf(error: unknown): Partial<Problem> | undefined {
  if (isRejected(error)) return error.problem
  const isProblem = !(error instanceof Error) && 'code' in Object(error)
  return isProblem ? (error as Partial<Problem>) : undefined
}

/**
 * A sentence for people about an error: a call that the portal rejected or the `error` that it
 * returned, a network that is away, a passkey that was not used.
 * @param language a BCP 47 tag, for units of time
 */
export function sentenceOf(error: unknown, words: Words, language: string): string {
  if (isRejected(error)) {
    const { code } = error.problem
    const text = code && words[`problem.${code}`]
    if (text === undefined) return error.message // the portal's own words say when to try again
    if (error.retryAfter === undefined) return text
    const time = duration(error.retryAfter, language)
    return `${text} ${fill(words['retry-after'] ?? '', { time })}`
  }
  // The response is not JSON: a network that asks for a sign-in of its own responds with a page.
  if (error instanceof SyntaxError) return words.foreign ?? error.message
  // An error of WebAuthn: the user cancels, or does nothing for too long.
  if (error instanceof DOMException) return words['passkey-cancelled'] ?? error.message
  if (error instanceof TypeError) return words.unreachable ?? error.message
  if (error instanceof Error) return String(error)
  const { code, detail } = problemOf(error) ?? {}
  // A proxy responds with a page, or with nothing.
  return words[`problem.${code}`] ?? detail ?? words.foreign ?? String(error)
}

/** @param seconds rounded up: to minutes from two minutes on, to hours from two hours on */
function duration(seconds: number, language: string): string {
  const [size, unit] =
    seconds < 120 ? [1, 'second'] : seconds < 7200 ? [60, 'minute'] : [3600, 'hour']
  const amount = Math.ceil(seconds / size)
  const format = { style: 'unit', unit, unitDisplay: 'long' } as const
  return new Intl.NumberFormat(language, format).format(amount)
}
