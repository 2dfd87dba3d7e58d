import '../flags/flags.css'
import '../flags/row.css'
import { useState } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import { ok, portal, RejectedCall } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Area, Field, WithMistakes } from '../../shared/controls.tsx'
import { Form } from '../../shared/form.tsx'
import { Loaded, renew, useLoaded } from '../../shared/load.tsx'
import { Page } from '../../shared/page.tsx'
import { Ago } from '../../shared/time.tsx'
import { ConfirmButton, DangerZone } from '../action-buttons.tsx'
import { CommandLine } from '../command-line.tsx'
import { placeInRule } from '../flags/fields.tsx'
import { refuse } from '../flags/form.ts'
import { History, useHistory } from '../flags/history.tsx'
import { Cancel, Missing, titleOf } from '../flags/missing.tsx'
import { describeMembers } from '../flags/sentences.ts'
import { WhenFields } from '../flags/when-fields.tsx'
import { whenFormOf, whenOf } from '../flags/when-form.ts'
import type { WhenForm } from '../flags/when-form.ts'
import { counted } from '../grouped.ts'
import { may, mayWrite } from '../may.ts'
import { useRemembered } from '../search/found.ts'
import { report } from '../shell/status.tsx'

export function Segment({ segment: key = '' }: Record<string, string | undefined>) {
  const loaded = useLoaded(['/api/admin/segments', key], () => readSegment(key))
  const history = useHistory({ kind: 'segment', key })
  const segment = loaded.value?.segment
  useRemembered(segment && { kind: 'segment', path: `/segments/${key}`, title: key })
  return (
    <Page
      title={titleOf('Segment', key, loaded)}
      about={
        segment && (
          <>
            Used by {counted(segment.usedBy.length, 'flag')}, changed <Ago at={segment.updatedAt} />
          </>
        )
      }
    >
      <Loaded from={loaded} missing={<Missing kind="segment" name={key} />}>
        {(saved) => (
          <>
            <p class="sentence">{describeMembers(saved.segment.when)}.</p>
            <div class="editor">
              <Editor saved={saved} onSaved={(next) => loaded.replace(next)} />
              <UsedBy {...saved} />
            </div>
            <History
              of={{ kind: 'segment', key }}
              updatedAt={saved.segment.updatedAt}
              history={history}
            />
            <CommandLine words={['segment show', key, '--json']} />
            {may('flags:delete') && <Delete {...saved} />}
          </>
        )}
      </Loaded>
    </Page>
  )
}

export function NewSegment() {
  const [, navigate] = useLocation()
  return (
    <Page title="New segment" about="A group of users that flags can share.">
      <div class="editor">
        <Editor onSaved={({ segment: { key } }) => navigate(`/segments/${key}`)} />
      </div>
      <CommandLine words={['segment create', ['--file', 'segment.json']]} />
    </Page>
  )
}

function Editor({ saved, onSaved }: { saved?: Saved; onSaved(saved: Saved): void }) {
  const { form, mistakes, isEdited, edit, discard, save } = useEditing(saved)
  const { key, description, when } = form
  const now = whenOf(when, '', () => {})
  const submit = async () => {
    const next = await save()
    if (!next) return
    onSaved(next)
    report(`The segment ${next.segment.key} is saved.`)
  }
  return (
    <Form
      action={saved ? 'Save' : 'Create the segment'}
      onSubmit={submit}
      bar={
        <p role="status" class={isEdited || !saved ? undefined : 'saved'}>
          {isEdited
            ? `${saved ? 'Not saved' : 'Not created yet'}: ${describeMembers(now)}.`
            : saved
              ? 'Everything is saved.'
              : 'Nobody belongs to it yet.'}
        </p>
      }
      more={
        <>
          {!saved && <Cancel to="/segments" />}
          {isEdited && (
            <button
              type="button"
              class="dangerous"
              onClick={() => {
                discard()
                void renew()
              }}
            >
              Discard the changes
            </button>
          )}
        </>
      }
    >
      <fieldset disabled={!may(saved ? 'flags:update' : 'flags:create') || !mayWrite()}>
        <WithMistakes mistakes={mistakes}>
          {!saved && (
            <Field
              label="Key"
              name="key"
              hint="Such as beta-testers. It cannot be changed later."
              value={key}
              maxLength={80}
              onValue={(key) => edit({ key })}
            />
          )}
          <Area
            label="Description"
            name="description"
            value={description}
            maxLength={300}
            onValue={(description) => edit({ description })}
          />
          <h2>Who belongs</h2>
          <WhenFields
            place="when"
            when={when}
            onChange={(_, changes) => edit({ when: { ...when, ...changes } })}
          />
        </WithMistakes>
      </fieldset>
    </Form>
  )
}

const UsedBy = ({ segment: { usedBy } }: Saved) => (
  <section aria-labelledby="used-heading">
    <h2 id="used-heading">Flags that use it</h2>
    {usedBy.length === 0 ? (
      <p class="muted">None. Rules of flags can choose it.</p>
    ) : (
      <ul class="rows">
        {usedBy.map((flag) => (
          <li key={flag}>
            <Link href={`/flags/${flag}`}>{flag}</Link>
          </li>
        ))}
      </ul>
    )}
  </section>
)

function Delete({ segment: { key, usedBy }, etag }: Saved) {
  const [, navigate] = useLocation()
  const remove = async () => {
    const params = { path: { key }, header: { 'if-match': etag } }
    await ok(portal.DELETE('/api/admin/segments/{key}', { params }))
    navigate('/segments')
    report(`The segment ${key} is deleted.`)
  }
  return (
    <DangerZone
      title="Delete this segment"
      loss={
        usedBy.length > 0
          ? `It is used by ${counted(usedBy.length, 'flag')}. Remove it from there first.`
          : 'It can be restored.'
      }
    >
      {usedBy.length > 0 ? (
        <button type="button" disabled>
          Delete
        </button>
      ) : (
        <ConfirmButton
          label="Delete"
          about={key}
          isDangerous
          onSubmit={remove}
          words={['segment delete', key]}
        >
          <p>No flag uses it. A deleted segment can be restored.</p>
        </ConfirmButton>
      )}
    </DangerZone>
  )
}

/** A segment as the portal has it, with its revision. */
interface Saved {
  segment: Schemas['Segment']
  etag: string
}

interface SegmentForm {
  key: string
  description: string
  when: WhenForm
}

const readSegment = (key: string) =>
  savedFrom(portal.GET('/api/admin/segments/{key}', { params: { path: { key } } }))

async function savedFrom(
  call: Promise<{ data?: Schemas['Segment']; error?: unknown; response: Response }>
): Promise<Saved> {
  return { segment: await ok(call), etag: (await call).response.headers.get('etag') ?? '*' }
}

/** What is typed in the form of a segment, what is wrong with it, and how it is saved. */
function useEditing(saved: Saved | undefined) {
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
