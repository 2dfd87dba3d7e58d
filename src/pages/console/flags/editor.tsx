import './flags.css'
import { useState } from 'preact/hooks'
import type { RejectedCall, Schemas } from '../../shared/client.ts'
import { WithMistakes } from '../../shared/controls.tsx'
import { CommandLine } from '../command-line.tsx'
import { may, mayWrite } from '../may.ts'
import { Basics, Json, Switches, Variants } from './basics.tsx'
import { useEditing } from './editing.ts'
import type { EditorProps, Kind } from './editing.ts'
import { EditorContext, placeOf, useEditor, useFocus } from './fields.tsx'
import type { Decided } from './fields.tsx'
import { checkFlag, flagOf, formOf, patchOf } from './form.ts'
import type { Flag, FlagForm } from './form.ts'
import { Rules } from './rules.tsx'
import { SaveForm } from './save-form.tsx'
import { changesOf, inWords, sentenceOf } from './sentences.ts'
import { Try } from './trial.tsx'
import { UseIt } from './use-it.tsx'
import { wordsOf } from './when-form.ts'

const flagKind: Kind<Flag, FlagForm> = {
  kind: 'flag',
  ...{ formOf, patchOf, mistakesIn, check: checkFlag },
  read: (form) => flagOf(form).flag,
  sentenceOf: (after, before) =>
    before
      ? `${after.key} is saved: ${inWords(changesOf(before, after))}.`
      : `${after.key} is created.`
}

/** Edits a flag, or creates one. */
export function Editor({ saved, onSaved }: EditorProps<Schemas['Flag']>) {
  const editing = useEditing<Schemas['Flag'], Flag, FlagForm>(flagKind, {
    ...(saved && { saved }),
    ...(onSaved && { onSaved })
  })
  const { form, value: flag, before, mistakes, isEdited, explained } = editing
  const [tried, setTried] = useState<{ form: FlagForm; decided: Decided }>()
  const focus = useFocus()
  const needed = saved ? 'flags:update' : 'flags:create'
  const parts = (
    <WithMistakes mistakes={mistakes}>
      <Basics />
      <Rules />
      <Variants />
      <Switches />
      <Json explained={explained} />
    </WithMistakes>
  )
  const context = {
    ...{ form, flag, mistakes, isNew: !saved, focus },
    edit: (place: string, changes: Partial<FlagForm>) => editing.edit(changes, place),
    decided: tried?.form === form ? tried.decided : undefined
  }
  const savedKey = saved && !isEdited ? flag.key : undefined
  return (
    <EditorContext.Provider value={context}>
      <Sentence now={before && sentenceOf(before)} next={sentenceOf(flag)} />
      {saved && <UseIt flag={saved.value} />}
      <div class="editor">
        {may(needed) && mayWrite() ? (
          <SaveForm
            editing={editing}
            status={before && statusOf(editing, before)}
            more={<Mistakes />}
          >
            {parts}
          </SaveForm>
        ) : (
          <div>
            <p>
              {may(needed) ? (
                <>This console only reads. The command below changes it.</>
              ) : (
                <>
                  To change it, you need the permission <code>{needed}</code>.
                </>
              )}
            </p>
            <fieldset disabled>{parts}</fieldset>
          </div>
        )}
        <Try
          savedKey={savedKey}
          isStale={tried !== undefined && tried.form !== form}
          flag={editing.checked}
          explained={explained}
          onTried={({ rule, bucket }) =>
            setTried({
              form,
              decided: { rule: rule === null ? null : (form.rules[rule]?.id ?? null), bucket }
            })
          }
        />
      </div>
      {!(savedKey && mayWrite()) && (
        <CommandLine
          words={
            saved
              ? ['flag update', flag.key, ['--file', 'changes.json']]
              : ['flag create', ['--file', 'flag.json']]
          }
        />
      )}
    </EditorContext.Provider>
  )
}

/** Says what the flag does now, and once its changes are saved. */
const Sentence = ({ now = '', next }: { now: string | undefined; next: string }) => (
  <div class="sentence">
    {now && <p>{now}</p>}
    {now !== next && <p class={now && 'muted'}>{now ? `Once saved: ${next}` : next}</p>}
  </div>
)

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
  json: 'JSON',
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
  form: FlagForm
  isEdited: boolean
}

function statusOf({ value: flag, form, isEdited }: State, before: Flag) {
  if (!isEdited) return 'Everything is saved.'
  const changes = [
    ...changesOf(before, flag),
    ...(form.json === undefined ? [] : ['JSON, which is not applied'])
  ]
  return changes.length > 0
    ? `Not saved: ${inWords(changes)}.`
    : 'Nothing differs from the saved flag.'
}

/** The mistakes of a refusal, by place. */
function mistakesIn({ problem: { errors = [] } }: RejectedCall, form: FlagForm) {
  const found: Record<string, string> = {}
  for (const error of errors) {
    const pointer = error.pointer.replace(/^\/flag\//, '/')
    const place = placeOf(pointer, form)
    const [, rule, , part, index] = pointer.slice(1).split('/')
    const { roles = '', scopes = '', segments = [] } = form.rules[Number(rule)] ?? {}
    const named: Record<string, readonly string[]> = {
      rolesAny: wordsOf(roles),
      scopes: wordsOf(scopes),
      segmentsAny: segments
    }
    const keys = named[part ?? ''] ?? []
    const about = keys[Number(index)]
    const message = about === undefined ? error.message : `${about}: ${error.message}`
    found[place] = found[place] === undefined ? message : `${found[place]} ${message}`
  }
  return found
}
