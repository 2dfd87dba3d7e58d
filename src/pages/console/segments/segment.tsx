import '../flags/flags.css'
import { Link } from 'wouter-preact'
import type { Schemas } from '../../shared/client.ts'
import { Area, Field, WithMistakes } from '../../shared/controls.tsx'
import { Loaded, useLoaded } from '../../shared/load.tsx'
import { Page } from '../../shared/page.tsx'
import { Ago } from '../../shared/time.tsx'
import { DangerZone } from '../action-buttons.tsx'
import { CommandLine } from '../command-line.tsx'
import { useEditing } from '../flags/editing.ts'
import type { EditorProps, Kind } from '../flags/editing.ts'
import { placeInRule } from '../flags/fields.tsx'
import { differ, refuse } from '../flags/form.ts'
import { History, useHistory } from '../flags/history.tsx'
import { CreateLink, Delete, Missing, titleOf } from '../flags/parts.tsx'
import { readPresent } from '../flags/revisions.ts'
import type { Saved } from '../flags/revisions.ts'
import { SaveForm } from '../flags/save-form.tsx'
import { describeMembers } from '../flags/sentences.ts'
import { WhenFields } from '../flags/when-fields.tsx'
import { whenFormOf, whenOf } from '../flags/when-form.ts'
import type { WhenForm } from '../flags/when-form.ts'
import { counted } from '../grouped.ts'
import { may, mayWrite } from '../may.ts'
import { useRemembered } from '../search/found.ts'
import type { Column } from '../list/table.tsx'
import { useList } from '../list/use-list.ts'
import { ListView } from '../list/view.tsx'
import { Empty } from '../parts.tsx'

type Stored = Schemas['Segment']

export function Segment({ segment: key = '' }: Record<string, string | undefined>) {
  const loaded = useLoaded(['/api/admin/segments', key], () =>
    readPresent<Stored>({ kind: 'segment', key })
  )
  const history = useHistory({ kind: 'segment', key })
  const segment = loaded.value?.value
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
            <p class="sentence">{describeMembers(saved.value.when)}.</p>
            <div class="editor">
              <Editor saved={saved} onSaved={(next) => loaded.replace(next)} />
              <UsedBy {...saved} />
            </div>
            <History
              of={{ kind: 'segment', key }}
              updatedAt={saved.value.updatedAt}
              history={history}
            />
            <CommandLine words={['segment show', key, '--json']} />
            {may('flags:delete') && <DeleteUnused {...saved} />}
          </>
        )}
      </Loaded>
    </Page>
  )
}

export const NewSegment = () => (
  <Page title="New segment" about="A group of users that flags can share.">
    <div class="editor">
      <Editor />
    </div>
    <CommandLine words={['segment create', ['--file', 'segment.json']]} />
  </Page>
)

interface SegmentForm {
  key: string
  description: string
  when: WhenForm
}

const read = ({ key, description, when }: SegmentForm) => ({
  ...{ key, description },
  when: whenOf(when, '', () => {})
})

type Value = ReturnType<typeof read>

const segmentKind: Kind<Value, SegmentForm> = {
  kind: 'segment',
  formOf: ({ key, description, when } = { key: '', description: '', when: {} }) => ({
    ...{ key, description },
    when: whenFormOf(when)
  }),
  read,
  check(form) {
    const wrong: [pointer: string, message: string][] = []
    const when = whenOf(form.when, 'when', (pointer, text) => wrong.push([`/${pointer}`, text]))
    if (Object.keys(when).length === 0) throw refuse('A segment needs a condition.')
    if (wrong.length > 0) throw refuse('Nothing was sent: a condition is not complete.', ...wrong)
    return { ...form, when }
  },
  patchOf: (before, { key, ...after }) => (differ(before, { key, ...after }) ? after : undefined),
  mistakesIn: ({ problem: { errors = [] } }, { when }) =>
    Object.fromEntries(
      errors.map(({ pointer, message }) => {
        const [, part, ...inner] = pointer.split('/')
        const place = placeInRule(inner, { ...when, shares: [] })
        return [part === 'when' ? part + place : pointer.slice(1), message]
      })
    ),
  sentenceOf: ({ key }) => `The segment ${key} is saved.`
}

function Editor({ saved, onSaved }: EditorProps<Stored>) {
  const editing = useEditing<Stored, Value, SegmentForm>(segmentKind, {
    ...(saved && { saved }),
    ...(onSaved && { onSaved })
  })
  const { form, value, mistakes, isEdited, edit } = editing
  const { key, description, when } = form
  return (
    <SaveForm
      editing={editing}
      status={
        isEdited
          ? `${saved ? 'Not saved' : 'Not created yet'}: ${describeMembers(value.when)}.`
          : saved
            ? 'Everything is saved.'
            : 'Nobody belongs to it yet.'
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
    </SaveForm>
  )
}

const UsedBy = ({ value: { usedBy } }: Saved<Stored>) => (
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

const DeleteUnused = ({ value: { key, usedBy }, etag }: Saved<Stored>) => (
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
      <Delete of={{ kind: 'segment', key }} etag={etag} />
    )}
  </DangerZone>
)

const columns: Column<Schemas['Segment'], 'key' | 'createdAt'>[] = [
  {
    title: 'Segment',
    cell: ({ key }) => <Link href={`/segments/${key}`}>{key}</Link>,
    below: ({ description }) => description,
    sort: 'key'
  },
  { title: 'Who', cell: ({ when }) => describeMembers(when) },
  { title: 'Used by', cell: ({ usedBy }) => counted(usedBy.length, 'flag') },
  { title: 'Last change', cell: ({ updatedAt }) => <Ago at={updatedAt} /> }
]

export function Segments() {
  const list = useList('/api/admin/segments', ['sort'])
  const create = <CreateLink kind="segment" />
  return (
    <ListView
      {...list}
      title="Segments"
      about={
        <span class="summary">
          Groups of users that several flags can name.{' '}
          <Link href="/deleted-flags">Deleted segments</Link>
        </span>
      }
      action={create}
      columns={columns}
      orders={['key', '-createdAt']}
      empty={
        <Empty
          title="There are no segments"
          command="portal segment create beta-testers --role beta"
          action={create}
        >
          A segment says once who belongs to a group, such as testers, for all flags that name it.
        </Empty>
      }
      command={['segment list', ['--sort', list.filters.sort]]}
    />
  )
}
