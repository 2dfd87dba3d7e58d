import './flags.css'
import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { portal, RejectedCall } from '../../shared/client.ts'
import { WithMistakes } from '../../shared/controls.tsx'
import { Form } from '../../shared/form.tsx'
import { CommandLine } from '../command-line.tsx'
import { may } from '../may.ts'
import { Basics } from './basics.tsx'
import { Conflict } from './conflict.tsx'
import { drafts, keepDraft, readFlag, savedFrom } from './drafts.ts'
import type { Saved } from './drafts.ts'
import { EditorContext, placeOf } from './fields.tsx'
import type { Decided } from './fields.tsx'
import { flagOf, formOf, newForm, patchOf } from './form.ts'
import type { FlagForm } from './form.ts'
import { Json } from './json.tsx'
import { Mistakes } from './mistakes.tsx'
import { refuse } from './refusals.ts'
import { Rules } from './rules.tsx'
import { Try } from './trial.tsx'
import { Variants } from './variants.tsx'
import { wordsOf } from './texts.ts'

/**
 * Edits a flag, or creates one.
 * @param saved the flag as it was loaded; without it, a new one
 */
export function Editor({ saved, onSaved }: { saved?: Saved; onSaved?(saved: Saved): void }) {
  const key = saved?.flag.key ?? ''
  const [, navigate] = useLocation()
  const draft = drafts.value.get(key)
  const base = draft ? draft.base : saved
  const unchanged = useMemo(() => (saved ? formOf(saved.flag) : newForm()), [saved])
  const form = draft?.form ?? unchanged
  const [mistakes, setMistakes] = useState<Record<string, string>>({})
  const [theirs, setTheirs] = useState<Saved>()
  const [tried, setTried] = useState<{ form: FlagForm; decided: Decided }>()
  const [isSaved, setIsSaved] = useState(false)
  const [focused, setFocused] = useState<{ id: string }>()
  // Before the next key is pressed.
  useLayoutEffect(() => {
    if (focused) document.getElementById(focused.id)?.focus()
  }, [focused])

  const edit = (place: string, change: (form: FlagForm) => FlagForm) => {
    keepDraft(key, { base, form: change(form) })
    setIsSaved(false)
    setMistakes((before) => without(before, place))
  }
  /** Shows the mistakes of a refusal at their places. */
  const explained = async <T,>(work: () => Promise<T>) => {
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
    setIsSaved(true)
    if (saved) onSaved?.(next)
    else navigate(`/flags/${next.flag.key}`)
  }
  const save = async () => {
    const flag = validFlag(form)
    if (!base) {
      return finish(await savedFrom(portal.POST('/api/admin/flags', { body: flag })))
    }
    const body = patchOf(flagOf(formOf(base.flag)).flag, flag)
    if (!body) return finish(base)
    const params = { path: { key }, header: { 'if-match': base.etag } }
    try {
      finish(await savedFrom(portal.PATCH('/api/admin/flags/{key}', { params, body })))
    } catch (error) {
      if (!(error instanceof RejectedCall) || error.problem.code !== 'precondition-failed') {
        throw error
      }
      setTheirs(await readFlag(key))
    }
  }
  const decided = tried?.form === form ? tried.decided : undefined
  const focus = (id: string) => setFocused({ id })
  const discard = () => {
    keepDraft(key, undefined)
    setMistakes({})
  }
  const needed = saved ? 'flags:update' : 'flags:create'
  const parts = (
    <WithMistakes mistakes={mistakes}>
      <Basics />
      <Variants />
      <Rules />
      <Json explained={explained} />
    </WithMistakes>
  )
  return (
    <EditorContext.Provider value={{ form, edit, mistakes, focus, decided, isNew: !saved }}>
      <div class="editor">
        {may(needed) ? (
          <Form
            action={saved ? 'Save' : 'Create'}
            onSubmit={() => explained(save)}
            more={
              draft && (
                <button type="button" class="dangerous" onClick={discard}>
                  Discard the changes
                </button>
              )
            }
          >
            {parts}
            <Mistakes />
            <p role="status">
              {draft ? 'There are changes that are not saved.' : isSaved && 'Saved.'}
            </p>
          </Form>
        ) : (
          <div>
            <p>
              To change it, you need the permission <code>{needed}</code>.
            </p>
            <fieldset disabled>{parts}</fieldset>
          </div>
        )}
        <Try
          savedKey={saved && !draft ? key : undefined}
          isStale={tried !== undefined && tried.form !== form}
          flag={() => explained(async () => validFlag(form))}
          explained={explained}
          onTried={({ rule, bucket }) =>
            setTried({
              form,
              decided: { rule: rule === null ? null : (form.rules[rule]?.id ?? null), bucket }
            })
          }
        />
      </div>
      <CommandLine
        words={
          saved
            ? draft
              ? ['flag update', key, ['--file', 'changes.json']]
              : ['flag show', key, '--json']
            : ['flag create', ['--file', 'flag.json']]
        }
      />
      {theirs && base && (
        <Conflict
          base={base.flag}
          mine={flagOf(form).flag}
          theirs={theirs.flag}
          onClose={() => setTheirs(undefined)}
          onChoose={(flag) => {
            keepDraft(key, flag && { base: theirs, form: formOf(flag) })
            if (!flag) onSaved?.(theirs)
            setTheirs(undefined)
          }}
        />
      )}
    </EditorContext.Provider>
  )
}

/** Throws mistakes that the page finds itself, in the form of the portal. */
function validFlag(form: FlagForm) {
  const { flag, mistakes } = flagOf(form)
  if (form.json !== undefined) mistakes.push(['/json', 'Apply the JSON or discard it.'])
  if (mistakes.length === 0) return flag
  throw refuse('Nothing was sent: the flag has mistakes.', ...mistakes)
}

function mistakesIn({ problem: { errors = [] } }: RejectedCall, form: FlagForm) {
  const found: Record<string, string> = {}
  for (const error of errors) {
    const pointer = error.pointer.replace(/^\/flag\//, '/')
    const place = placeOf(pointer, form)
    const [, rule, , part, index] = pointer.slice(1).split('/')
    const roles = part === 'rolesAny' ? wordsOf(form.rules[Number(rule)]?.roles ?? '') : []
    const about = roles[Number(index)]
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
