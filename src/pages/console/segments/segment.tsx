import '../flags/flags.css'
import { Link } from 'wouter-preact'
import type { Schemas } from '../../shared/client.ts'
import { Area, Field } from '../../shared/controls.tsx'
import { Page } from '../../shared/page.tsx'
import { Ago } from '../../shared/time.tsx'
import { Definition } from '../flags/definition.tsx'
import { useEditing } from '../flags/editing.ts'
import type { EditorProps, Kind } from '../flags/editing.ts'
import { placeInRule } from '../flags/fields.tsx'
import { differ, refuse } from '../flags/form.ts'
import { CreateLink, isEditing, useNames } from '../flags/parts.tsx'
import { SaveForm } from '../flags/save-form.tsx'
import { describeMembers } from '../flags/sentences.ts'
import { WhenFields } from '../flags/when-fields.tsx'
import { whenFormOf, whenOf } from '../flags/when-form.ts'
import type { WhenForm } from '../flags/when-form.ts'
import { counted } from '../grouped.ts'
import type { Column } from '../list/table.tsx'
import { useList } from '../list/use-list.ts'
import { ListView } from '../list/view.tsx'
import { Empty } from '../parts.tsx'
import { useRoles } from '../user/roles.tsx'

type Stored = Schemas['Segment']

export const Segment = ({ segment: key = '', mode }: Record<string, string | undefined>) => (
  <Definition<Stored>
    of={{ kind: 'segment', key }}
    isOpen={isEditing(mode)}
    about={({ updatedAt }) => (
      <span>
        Changed <Ago at={updatedAt} />
      </span>
    )}
    isUsed={({ usedBy }) => usedBy.length > 0}
    loss={({ usedBy: { length } }) =>
      length > 0
        ? `It is used by ${counted(length, 'flag')}. Remove it from there first.`
        : 'It can be restored.'
    }
  >
    {(saved, onSaved) => (
      <>
        <Members {...saved.value} />
        <div class="editor">
          {isEditing(mode) && <Editor saved={saved} onSaved={onSaved} />}
          <section aria-labelledby="used-heading">
            <h2 id="used-heading">Flags that use it</h2>
            {saved.value.usedBy.length === 0 ? (
              <p class="muted">None. Rules of flags can choose it.</p>
            ) : (
              <ul class="rows">
                {saved.value.usedBy.map((flag) => (
                  <li key={flag}>
                    <Link href={`/flags/${flag}`}>{flag}</Link>
                  </li>
                ))}
              </ul>
            )}
          </section>
        </div>
      </>
    )}
  </Definition>
)

/** Who belongs to a segment. */
function Members({ when }: Stored) {
  useNames([{ when }])
  return (
    <section>
      <h2>Who belongs</h2>
      <p class="sentence">{describeMembers(when)}.</p>
    </section>
  )
}

export const NewSegment = () => (
  <Page title="New segment" about="A group of users that flags can share.">
    <div class="editor">
      <Editor />
    </div>
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
  placeOf(pointer, { when }) {
    const [, part, ...inner] = pointer.split('/')
    if (part !== 'when') return [pointer.slice(1)]
    return [part + placeInRule(inner, { ...when, shares: [] }), when]
  },
  sentenceOf: ({ key }) => `The segment ${key} is saved.`
}

function Editor(props: EditorProps<Stored>) {
  const { saved } = props
  const editing = useEditing(segmentKind, props)
  const { form, value, isEdited, edit } = editing
  const { key, description, when } = form
  return (
    <SaveForm
      editing={editing}
      status={
        isEdited
          ? `${saved ? 'Not saved' : 'Not created yet'}: ${describeMembers(value.when)}.`
          : saved
            ? 'Everything is saved.'
            : 'Fill in at least one condition.'
      }
    >
      <fieldset>
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
        <h2>Conditions</h2>
        <WhenFields
          place="when"
          when={when}
          onChange={(_, changes) => edit({ when: { ...when, ...changes } })}
        />
      </fieldset>
    </SaveForm>
  )
}

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
  const create = <CreateLink kind="segment" />
  useRoles() // for their names
  return (
    <ListView
      {...useList('/api/admin/segments', ['sort'])}
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
      command="segment list"
    />
  )
}
