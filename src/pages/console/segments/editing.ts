import { useState } from 'preact/hooks'
import { ok, portal, RejectedCall } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { placeInRule } from '../flags/fields.tsx'
import { refuse } from '../flags/refusals.ts'
import { whenFormOf, whenOf } from '../flags/when-form.ts'
import type { WhenForm } from '../flags/when-form.ts'

/** A segment as the portal has it, with its revision. */
export interface Saved {
  segment: Schemas['Segment']
  etag: string
}

interface SegmentForm {
  key: string
  description: string
  when: WhenForm
}

export const readSegment = (key: string) =>
  savedFrom(portal.GET('/api/admin/segments/{key}', { params: { path: { key } } }))

async function savedFrom(
  call: Promise<{ data?: Schemas['Segment']; error?: unknown; response: Response }>
): Promise<Saved> {
  return { segment: await ok(call), etag: (await call).response.headers.get('etag') ?? '*' }
}

/** What is typed in the form of a segment, what is wrong with it, and how it is saved. */
export function useEditing(saved: Saved | undefined) {
  const [edited, setEdited] = useState<{ base: Saved | undefined; form: SegmentForm }>()
  const [mistakes, setMistakes] = useState<Record<string, string>>({})
  const { key, description, when } = saved?.segment ?? { key: '', description: '', when: {} }
  const form = edited?.form ?? { key, description, when: whenFormOf(when) }
  const show = (next: typeof edited) => {
    setMistakes({})
    setEdited(next)
  }
  const save = async () => {
    const wrong: [pointer: string, message: string][] = []
    const when = whenOf(form.when, 'when', (pointer, message) =>
      wrong.push([`/${pointer}`, message])
    )
    if (Object.keys(when).length === 0) throw refuse('A segment needs a condition.')
    if (wrong.length > 0) throw refuse('Nothing was sent: a condition is not complete.', ...wrong)
    const body = { description: form.description, when }
    const base = edited?.base
    return savedFrom(
      base
        ? portal.PATCH('/api/admin/segments/{key}', {
            params: { path: { key }, header: { 'if-match': base.etag } },
            body
          })
        : portal.POST('/api/admin/segments', { body: { key: form.key, ...body } })
    )
  }
  return {
    form,
    mistakes,
    isEdited: edited !== undefined,
    edit: (changes: Partial<SegmentForm>) =>
      show({ base: edited ? edited.base : saved, form: { ...form, ...changes } }),
    discard: () => show(undefined),
    /** Undefined if nothing has changed. */
    async save() {
      if (!edited && saved) return undefined
      try {
        const next = await save()
        show(undefined)
        return next
      } catch (error) {
        const errors = (error instanceof RejectedCall && error.problem.errors) || []
        setMistakes(
          Object.fromEntries(
            errors.map(({ pointer, message }) => {
              const [, part, ...inner] = pointer.split('/')
              const place = placeInRule(inner, { ...form.when, shares: [] })
              return [part === 'when' ? part + place : pointer.slice(1), message]
            })
          )
        )
        throw error
      }
    }
  }
}
