import { useMemo, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { portal, RejectedCall } from '../../shared/client.ts'
import { report } from '../shell/status.tsx'
import { drafts, keepDraft, readFlag, savedFrom } from './drafts.ts'
import type { Saved } from './drafts.ts'
import { placeOf } from './fields.tsx'
import { flagOf, formOf, newForm, patchOf, refuse } from './form.ts'
import type { Flag, FlagForm } from './form.ts'
import { changesOf, inWords } from './sentences.ts'
import { wordsOf } from './when-form.ts'

export interface EditorProps {
  /** The flag as it was loaded; without it, a new one. */
  saved?: Saved
  onSaved?(saved: Saved): void
}

/** What is typed in an editor, what is wrong with it, and how it is saved. */
export function useEditing({ saved, onSaved }: EditorProps) {
  const key = saved?.flag.key ?? ''
  const [, navigate] = useLocation()
  const draft = drafts.value.get(key)
  const base = draft ? draft.base : saved
  const unchanged = useMemo(() => (saved ? formOf(saved.flag) : newForm()), [saved])
  const form = draft?.form ?? unchanged
  const { flag } = flagOf(form)
  const before = base && flagOf(formOf(base.flag)).flag
  const [mistakes, setMistakes] = useState<Record<string, string>>({})
  /** What somebody else has saved in the meantime. */
  const [theirs, setTheirs] = useState<Saved>()

  /** Shows the mistakes of a refusal at their places. */
  const explained = async <T>(work: () => Promise<T>) => {
    setMistakes({})
    return work().catch((error: unknown) => {
      if (error instanceof RejectedCall) setMistakes(mistakesIn(error, form))
      throw error
    })
  }
  const finish = (next: Saved) => {
    const latest = drafts.value.get(key)?.form
    keepDraft(key, undefined)
    // Changes that were made during the request.
    if (latest && latest !== form) keepDraft(next.flag.key, { base: next, form: latest })
    setMistakes({})
    if (saved) onSaved?.(next)
    else navigate(`/flags/${next.flag.key}`)
  }

  const create = async () => {
    finish(await savedFrom(portal.POST('/api/admin/flags', { body: valid(form) })))
    report(`${flag.key} is created.`)
  }
  const update = async ({ etag, flag: saved }: Saved, before: Flag) => {
    const after = valid(form)
    const body = patchOf(before, after)
    if (!body) return finish({ etag, flag: saved })
    const params = { path: { key }, header: { 'if-match': etag } }
    try {
      finish(await savedFrom(portal.PATCH('/api/admin/flags/{key}', { params, body })))
    } catch (error) {
      if (!(error instanceof RejectedCall) || error.problem.code !== 'precondition-failed') {
        throw error
      }
      setTheirs(await readFlag(key))
      return
    }
    report(`${key} is saved: ${inWords(changesOf(before, after))}.`)
  }
  return {
    ...{ form, flag, before, base, mistakes, explained, theirs },
    isEdited: draft !== undefined,
    edit(place: string, changes: Partial<FlagForm>) {
      keepDraft(key, { base, form: { ...form, ...changes } })
      setMistakes((earlier) => without(earlier, place))
    },
    save: () => explained(() => (base && before ? update(base, before) : create())),
    /** Throws mistakes that the page finds itself, in the form of the portal. */
    validFlag: () => explained(async () => valid(form)),
    discard() {
      keepDraft(key, undefined)
      setMistakes({})
    },
    closeConflict: () => setTheirs(undefined),
    /** @param mine changes to continue with, unsaved, upon the version of somebody else */
    continueFrom(theirs: Saved, mine: Flag | undefined) {
      setMistakes({})
      keepDraft(key, mine && { base: theirs, form: formOf(mine) })
      if (!mine) onSaved?.(theirs)
      setTheirs(undefined)
    }
  }
}

function valid(form: FlagForm) {
  const { flag, mistakes } = flagOf(form)
  if (form.json !== undefined) mistakes.push(['/json', 'Apply the JSON or discard it.'])
  if (mistakes.length === 0) return flag
  throw refuse('Nothing was sent: the flag has mistakes.', ...mistakes)
}

/** The mistakes of a refusal, by place. */
function mistakesIn({ problem: { errors = [] } }: RejectedCall, form: FlagForm) {
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
function without(mistakes: Record<string, string>, place: string) {
  const isWithin = (inner: string, outer: string) => `${inner}/`.startsWith(`${outer}/`)
  const sum = place.replace(/\/shares\b.*/, '/serve')
  return Object.fromEntries(
    Object.entries(mistakes).filter(
      ([each]) => !isWithin(each, place) && !isWithin(place, each) && each !== sum
    )
  )
}
