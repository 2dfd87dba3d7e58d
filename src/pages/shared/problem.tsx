import type { RenderableProps } from 'preact'
import { RejectedCall } from './client.ts'
import { sentenceOf } from '../../client/sentences.ts'
import { translationOf, words } from './say.ts'

/** An error whose message is for the reader, in their language. */
export class Mistake extends Error {
  override name = 'Mistake'
  /** The name of the field that shows it. */
  field?: string
}

function messageOf(error: unknown): string {
  if (error instanceof Mistake) return error.message
  return sentenceOf(error, words(), document.documentElement.lang)
}

/** Mistakes by the name of the field or the filter, such as `email` or `profile/bio`. */
export function mistakesOf(error: unknown): Record<string, string> {
  if (error instanceof Mistake && error.field) return { [error.field]: error.message }
  const errors = error instanceof RejectedCall ? (error.problem.errors ?? []) : []
  return Object.fromEntries(
    errors.map(({ pointer, code, message }) => [
      pointer.slice(1).replace(/^query\//, ''),
      translationOf(`field.${code}`) ?? message
    ])
  )
}

/** Shows an error, and what can be done about it. Screen readers read it at once. */
export const ProblemNotice = ({ error, children }: RenderableProps<{ error: unknown }>) => (
  <div class="problem" role="alert">
    <p>{messageOf(error)}</p>
    {children}
  </div>
)
