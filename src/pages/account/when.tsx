import { Ago } from '../shared/time.tsx'
import { say } from './say.ts'
import type { Key } from './say.ts'

/** A text about a `{time}`, which is said as people say it. */
export function When({ text, at }: { text: Key; at: string }) {
  const [before, after] = say(text).split('{time}')
  return (
    <>
      {before}
      <Ago at={at} />
      {after}
    </>
  )
}
