import { signal } from '@preact/signals'
import { useMemo, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { portal, RejectedCall, savedFrom } from '../../shared/client.ts'
import type { Saved } from '../../shared/client.ts'
import { reloadAll } from '../../shared/load.tsx'
import { report } from '../shell/status.tsx'
import { differ } from './form.ts'
import { pathOf } from './revisions.ts'
import type { Subject } from './revisions.ts'
import type { WhenForm } from './when-form.ts'

interface Draft {
  /** The version that was edited; absent for a new one. */
  base: Saved<object> | undefined
  form: object
}

/**
 * Unsaved changes, by kind and key; those of a new flag or segment have an empty key. They outlive
 * their view, also when it shows that the portal cannot be reached, and end with the page, which
 * asks first.
 */
export const drafts = signal<ReadonlyMap<string, Draft>>(new Map())

const nameOf = ({ kind, key }: Subject) => `${kind} ${key}`

/** Whether there are unsaved changes. */
export const isDraft = (subject: Subject) => drafts.value.has(nameOf(subject))

export function keepDraft(subject: Subject, draft: Draft | undefined) {
  const next = new Map(drafts.value)
  if (draft) next.set(nameOf(subject), draft)
  else next.delete(nameOf(subject))
  drafts.value = next
}

addEventListener('beforeunload', (event) => {
  if (drafts.value.size > 0) event.preventDefault()
})

/** How flags or segments are edited. */
export interface Kind<Value extends { key: string }, Form extends object> {
  kind: Subject['kind']
  formOf(value?: Value): Form
  /** The value as far as the form is valid. */
  read(form: Form): Value
  /** The value. Throws the mistakes that the page finds itself, in the form of the portal. */
  check(form: Form): Value
  /** The changes as a merge patch; undefined if there are none. */
  patchOf(before: Value, after: Value): object | undefined
  /** Where the form shows a mistake, and the conditions that the pointer is about, if any. */
  placeOf(pointer: string, form: Form): [place: string, when?: WhenForm | undefined]
  /** Reports a change in a sentence. */
  sentenceOf(after: Value, before: Value | undefined): string
}

export interface EditorProps<Stored> {
  /** The flag or segment as it was loaded; without it, a new one. */
  saved?: Saved<Stored> | undefined
  onSaved?(saved: Saved<Stored>): void
  /** Whether it is edited, and not only read. */
  isOpen?: boolean
}

/** The form of an editor, its mistakes, and how it is saved. */
export function useEditing<
  Stored extends Value,
  Value extends { key: string },
  Form extends object
>(kindOf: Kind<Value, Form>, { saved, onSaved }: EditorProps<Stored>) {
  const { kind, formOf, read, check, patchOf } = kindOf
  const subject = { kind, key: saved?.value.key ?? '' }
  const [, navigate] = useLocation()
  const draftNow = () =>
    drafts.value.get(nameOf(subject)) as { base?: Saved<Stored>; form: Form } | undefined
  const draft = draftNow()
  const base = draft ? draft.base : saved
  const unchanged = useMemo(() => formOf(saved?.value), [saved])
  const form = draft?.form ?? unchanged
  const before = base && read(formOf(base.value))
  const [mistakes, setMistakes] = useState<Record<string, string>>({})

  /** Shows the mistakes of a refusal at their places. */
  const explained = async <T>(work: () => Promise<T>) => {
    setMistakes({})
    return work().catch((error: unknown) => {
      if (error instanceof RejectedCall) setMistakes(mistakesIn(error, kindOf, form))
      throw error
    })
  }
  const finish = (next: Saved<Stored>) => {
    const latest = draftNow()?.form
    keepDraft(subject, undefined)
    const { key } = next.value
    // Keeps changes that were made during the request.
    if (latest && latest !== form) keepDraft({ kind, key }, { base: next, form: latest })
    setMistakes({})
    if (saved) onSaved?.(next)
    else navigate(`/${kind}s/${key}${latest === form ? '' : '/edit'}`)
  }
  const save = async () => {
    const after = check(form)
    const body = before ? patchOf(before, after) : after
    if (base && !body) return finish(base)
    const params = { path: { key: subject.key }, header: { 'if-match': base?.etag ?? '' } }
    const call = base
      ? portal.PATCH(pathOf(subject), { params, body: body as object })
      : portal.POST(`/api/admin/${kind}s` as '/api/admin/flags', { body: body as never })
    finish(await savedFrom<Stored>(call as never))
    report(kindOf.sentenceOf(after, before))
  }
  return {
    ...{ kind, subject, form, base, before, mistakes, explained },
    value: read(form),
    isEdited: draft !== undefined,
    /** @param place where the change may fix mistakes; by default anywhere */
    edit(changes: Partial<Form>, place?: string) {
      keepDraft(subject, { base, form: { ...form, ...changes } })
      setMistakes((earlier) => (place === undefined ? {} : without(earlier, place)))
    },
    save: () => explained(save),
    checked: () => explained(async () => check(form)),
    discard() {
      keepDraft(subject, undefined)
      setMistakes({})
      void reloadAll()
    },
    /** Continues with a newer version. Fields that the user has changed stay, unsaved. */
    reload(newer: Saved<Stored>) {
      const was = formOf(base?.value) as Record<string, unknown>
      const theirs = Object.entries(formOf(newer.value)).filter(
        ([field]) => !differ((form as Record<string, unknown>)[field], was[field])
      )
      keepDraft(subject, { base: newer, form: { ...form, ...Object.fromEntries(theirs) } })
      setMistakes({})
      onSaved?.(newer)
    }
  }
}

/** The mistakes of a refusal, by place. Those in a list name what is wrong in it. */
function mistakesIn<Form extends object>(
  { problem: { errors = [] } }: RejectedCall,
  { placeOf }: Pick<Kind<never, Form>, 'placeOf'>,
  form: Form
) {
  const found: Record<string, string> = {}
  for (const { pointer, message } of errors) {
    const [place, when] = placeOf(pointer.replace(/^\/flag\//, '/'), form)
    const [, part = '', index] = /\/when\/(\w+)\/(\d+)/.exec(pointer) ?? []
    const listed: Record<string, readonly string[]> = when
      ? { rolesAny: when.roles, scopes: when.scopes, segmentsAny: when.segments }
      : {}
    const about = listed[part]?.[Number(index)]
    const text = about === undefined ? message : `${about}: ${message}`
    found[place] = found[place] === undefined ? text : `${found[place]} ${text}`
  }
  return found
}

/** Without the mistakes that a change at this place may have fixed. */
function without(mistakes: Record<string, string>, place: string) {
  const isWithin = (inner: string, outer: string) => `${inner}/`.startsWith(`${outer}/`)
  const sum = place.replace(/\/shares\b.*/, '/serve')
  return Object.fromEntries(
    Object.entries(mistakes).filter(
      ([each]) => !isWithin(each, place) && !isWithin(place, each) && each !== sum
    )
  )
}
