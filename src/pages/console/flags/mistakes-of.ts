import type { RejectedCall } from '../../shared/client.ts'
import { placeOf } from './fields.tsx'
import type { FlagForm } from './form.ts'
import { wordsOf } from './texts.ts'

/** The mistakes of a refusal, by place. */
export function mistakesIn({ problem: { errors = [] } }: RejectedCall, form: FlagForm) {
  const found: Record<string, string> = {}
  for (const error of errors) {
    const pointer = error.pointer.replace(/^\/flag\//, '/')
    const place = placeOf(pointer, form)
    const [, rule, , part, index] = pointer.slice(1).split('/')
    const { roles = '', segments = [] } = form.rules[Number(rule)] ?? {}
    const keys = part === 'rolesAny' ? wordsOf(roles) : part === 'segmentsAny' ? segments : []
    const about = keys[Number(index)]
    const message = about === undefined ? error.message : `${about}: ${error.message}`
    found[place] = found[place] === undefined ? message : `${found[place]} ${message}`
  }
  return found
}

/** Without the mistakes that a change at this place may have fixed. */
export function without(mistakes: Record<string, string>, place: string) {
  const isWithin = (inner: string, outer: string) => `${inner}/`.startsWith(`${outer}/`)
  const sum = place.replace(/\/shares\b.*/, '/serve')
  return Object.fromEntries(
    Object.entries(mistakes).filter(
      ([each]) => !isWithin(each, place) && !isWithin(place, each) && each !== sum
    )
  )
}
