import './flags.css'
import { useState } from 'preact/hooks'
import type { Schemas } from '../../shared/client.ts'
import { Basics, Switches, Variants } from './basics.tsx'
import { useEditing } from './editing.ts'
import type { EditorProps, Kind } from './editing.ts'
import { EditorContext, placeOf, useEditor, useFocus } from './fields.tsx'
import type { Decided } from './fields.tsx'
import { checkFlag, flagOf, formOf, patchOf } from './form.ts'
import type { Flag, FlagForm } from './form.ts'
import { useNames } from './parts.tsx'
import { Reading } from './reading.tsx'
import { Rules } from './rules.tsx'
import { SaveForm } from './save-form.tsx'
import { changesOf, inWords, sentenceOf } from './sentences.ts'
import { Try } from './trial.tsx'

const flagKind: Kind<Flag, FlagForm> = {
  kind: 'flag',
  ...{ formOf, patchOf, placeOf, check: checkFlag },
  read: (form) => flagOf(form).flag,
  sentenceOf: (after, before) =>
    before
      ? `${after.key} is saved: ${inWords(changesOf(before, after))}.`
      : `${after.key} is created.`
}

/** Shows a flag and edits it, or creates one. */
export function Editor({ isOpen = true, ...props }: EditorProps<Schemas['Flag']>) {
  const { saved } = props
  const editing = useEditing(flagKind, props)
  const { form, value: flag, before, mistakes, isEdited, explained } = editing
  const [tried, setTried] = useState<{ form: FlagForm; decided: Decided }>()
  const focus = useFocus()
  useNames(flag.rules)
  // Says what the flag does now, and once its changes are saved.
  const [now, next] = [before ? sentenceOf(before) : '', sentenceOf(flag)]
  const context = {
    ...{ form, flag, mistakes, isNew: !saved, focus },
    edit: (place: string, changes: Partial<FlagForm>) => editing.edit(changes, place),
    decided: tried?.form === form ? tried.decided : undefined
  }
  return (
    <EditorContext.Provider value={context}>
      <div class="sentence">
        {now && <p>{now}</p>}
        {now !== next && <p class={now && 'muted'}>{now ? `Once saved: ${next}` : next}</p>}
      </div>
      <div class="editor">
        {saved && !isOpen ? (
          <Reading flag={saved.value} decided={context.decided?.rule} />
        ) : (
          <SaveForm
            editing={editing}
            status={before && statusOf(editing, before)}
            more={<Mistakes />}
          >
            <Basics />
            <Rules />
            <Variants />
            <Switches />
          </SaveForm>
        )}
        <Try
          savedKey={saved && !(isOpen && isEdited) ? flag.key : undefined}
          isStale={tried !== undefined && tried.form !== form}
          flag={editing.checked}
          explained={explained}
          onTried={({ rule, bucket }) => {
            const id = rule === null ? null : isOpen ? form.rules[rule]?.id : String(rule)
            setTried({ form, decided: { rule: id ?? null, bucket } })
          }}
        />
      </div>
    </EditorContext.Provider>
  )
}

/** All mistakes, each with a link to its field. */
function Mistakes() {
  const { form, mistakes, focus } = useEditor()
  const places = Object.keys(mistakes)
  if (places.length === 0) return null
  return (
    <ul class="mistakes">
      {places.map((place) => (
        <li key={place}>
          <a
            href={`#${place}`}
            onClick={(event) => {
              event.preventDefault()
              focus(place)
            }}
          >
            {nameOf(place, form)}
          </a>
          : {mistakes[place]}
        </li>
      ))}
    </ul>
  )
}

const names: Record<string, string> = {
  key: 'Key',
  description: 'Description',
  variants: 'Variants',
  rules: 'Rules',
  defaultVariant: 'Default',
  offVariant: 'When disabled',
  users: 'people',
  appSettings: 'app settings'
}

function nameOf(place: string, { variants, rules }: FlagForm) {
  const [part = '', id, inner = ''] = place.split('/')
  if (part === 'rules' && id !== undefined) {
    return `Rule ${rules.findIndex((rule) => rule.id === id) + 1}, ${names[inner] ?? inner}`
  }
  const variant = part === 'variants' ? variants.find((each) => each.id === id) : undefined
  return variant ? `Variant ${variant.name}` : (names[part] ?? part)
}

interface State {
  value: Flag
  isEdited: boolean
}

function statusOf({ value: flag, isEdited }: State, before: Flag) {
  if (!isEdited) return 'Everything is saved.'
  const changes = inWords(changesOf(before, flag))
  return changes ? `Not saved: ${changes}.` : 'Nothing differs from the saved flag.'
}
