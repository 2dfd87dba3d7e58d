import type { ComponentChildren } from 'preact'
import { RejectedCall } from './client.ts'
import { say, translationOf } from './say.ts'

/** An error whose message is for the reader, in their language. */
export class Mistake extends Error {
  override name = 'Mistake'
}

/** What went wrong, for people. */
function messageOf(error: unknown): string {
  if (error instanceof Mistake) return error.message
  if (error instanceof RejectedCall) {
    const { code } = error.problem
    const text = code && translationOf(`problem.${code}`)
    if (text === undefined) return error.message // the portal's own words say when to try again
    return error.retryAfter === undefined
      ? text
      : `${text} ${say('retry-after', { time: duration(error.retryAfter) })}`
  }
  // Not JSON: a network that asks for a sign-in of its own responds with a page.
  if (error instanceof SyntaxError) return say('foreign')
  // An error of WebAuthn: the user cancels, or does nothing for too long.
  if (error instanceof DOMException) return say('passkey-cancelled')
  return error instanceof TypeError ? say('unreachable') : String(error)
}

/** @param seconds rounded up: to minutes from two minutes on, to hours from two hours on */
function duration(seconds: number): string {
  const [size, unit] =
    seconds < 120 ? [1, 'second'] : seconds < 7200 ? [60, 'minute'] : [3600, 'hour']
  const amount = Math.ceil(seconds / size)
  const format = { style: 'unit', unit, unitDisplay: 'long' } as const
  return new Intl.NumberFormat(document.documentElement.lang, format).format(amount)
}

/** Mistakes by the name of the field, such as `email` or `profile/bio`. */
export function mistakesOf(error: unknown): Record<string, string> {
  const errors = error instanceof RejectedCall ? (error.problem.errors ?? []) : []
  return Object.fromEntries(
    errors.map(({ pointer, code, message }) => [
      pointer.slice(1),
      translationOf(`field.${code}`) ?? message
    ])
  )
}

/** Shows an error, and what can be done about it. Screen readers read it at once. */
export function ProblemNotice({
  error,
  children
}: {
  error: unknown
  children?: ComponentChildren
}) {
  return (
    <div class="problem" role="alert">
      <p>{messageOf(error)}</p>
      {children}
    </div>
  )
}
