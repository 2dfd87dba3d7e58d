import './flags.css'
import './row.css'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { WithMistakes } from '../../shared/controls.tsx'
import { Dialog } from '../../shared/dialog.tsx'
import { Form } from '../../shared/form.tsx'
import { CommandLine } from '../command-line.tsx'
import { may, mayWrite } from '../may.ts'
import { Basics, Switches, Variants } from './basics.tsx'
import { Difference } from './difference.tsx'
import { useEditing } from './editing.ts'
import type { EditorProps } from './editing.ts'
import { EditorContext, useEditor, useFocus } from './fields.tsx'
import type { Decided } from './fields.tsx'
import { flagOf, formOf, patched, patchOf } from './form.ts'
import type { Flag, FlagForm } from './form.ts'
import { Json } from './json.tsx'
import { Cancel } from './missing.tsx'
import { Rules } from './rules.tsx'
import { changesOf, inWords, sentenceOf } from './sentences.ts'
import { Try } from './trial.tsx'

/** Edits a flag, or creates one. */
export function Editor({ saved, onSaved }: EditorProps) {
  const editing = useEditing({ ...(saved && { saved }), ...(onSaved && { onSaved }) })
  const { form, flag, before, base, theirs, mistakes, isEdited, explained, closeConflict } = editing
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
    ...{ form, flag, mistakes, edit: editing.edit, isNew: !saved },
    focus,
    decided: tried?.form === form ? tried.decided : undefined
  }
  const savedKey = saved && !isEdited ? flag.key : undefined
  return (
    <EditorContext.Provider value={context}>
      <Sentence now={before && sentenceOf(before)} next={sentenceOf(flag)} />
      <div class="editor">
        {may(needed) && mayWrite() ? (
          <WithSaveBar editing={editing}>{parts}</WithSaveBar>
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
          flag={editing.validFlag}
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
      {theirs && base && (
        <Conflict
          base={base.flag}
          mine={flag}
          theirs={theirs.flag}
          onClose={closeConflict}
          onChoose={(mine) => editing.continueFrom(theirs, mine)}
        />
      )}
    </EditorContext.Provider>
  )
}

/** What the flag does now, and what it will do once its changes are saved. */
const Sentence = ({ now = '', next }: { now: string | undefined; next: string }) => (
  <div class="sentence">
    {now && <p>{now}</p>}
    {now !== next && <p class={now && 'muted'}>{now ? `Once saved: ${next}` : next}</p>}
  </div>
)

/**
 * Two people changed one flag: shows what each of them changed.
 * @param base what both began with
 */
function Conflict({
  base,
  mine,
  theirs,
  onChoose,
  onClose
}: {
  base: Flag
  mine: Flag
  theirs: Flag
  /** The flag to continue with, unsaved; undefined for theirs. */
  onChoose(flag: Flag | undefined): void
  onClose(): void
}) {
  const before = flagOf(formOf(base)).flag
  const saved = flagOf(formOf(theirs)).flag
  return (
    <Dialog title="The flag was changed in the meantime" onClose={onClose}>
      <p>
        This flag was also saved in another tab or by another user. You can still use either
        version.
      </p>
      <h3>Saved meanwhile</h3>
      <Difference before={before} after={saved} />
      <h3>Your changes</h3>
      <Difference before={before} after={mine} />
      <div class="actions">
        <button type="button" onClick={() => onChoose(patched(saved, patchOf(before, mine)))}>
          Put my changes on top
        </button>
        <button type="button" class="secondary outline" onClick={() => onChoose(undefined)}>
          Use the saved version
        </button>
        <button type="button" class="secondary outline" onClick={onClose}>
          Back
        </button>
      </div>
    </Dialog>
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
  json: 'JSON',
  users: 'targeting keys',
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

interface SaveBarProps {
  editing: ReturnType<typeof useEditing>
  /** The fields. */
  children: ComponentChildren
}

/** The fields of a flag above a bar that stays in sight and says what is not saved yet. */
function WithSaveBar({ editing, children }: SaveBarProps) {
  const { before, isEdited, save, discard } = editing
  return (
    <Form
      action={before ? 'Save' : 'Create the flag'}
      onSubmit={save}
      bar={
        <>
          <Mistakes />
          {before && (
            <p role="status" class={isEdited ? undefined : 'saved'}>
              {statusOf(editing, before)}
            </p>
          )}
        </>
      }
      more={
        <>
          {!before && <Cancel to="/flags" />}
          {isEdited && (
            <button type="button" class="dangerous" onClick={discard}>
              Discard the changes
            </button>
          )}
        </>
      }
    >
      {children}
    </Form>
  )
}

function statusOf({ flag, form, isEdited }: SaveBarProps['editing'], before: typeof flag) {
  if (!isEdited) return 'Everything is saved.'
  const changes = [
    ...changesOf(before, flag),
    ...(form.json === undefined ? [] : ['JSON, which is not applied'])
  ]
  return changes.length > 0
    ? `Not saved: ${inWords(changes)}.`
    : 'Nothing differs from the saved flag.'
}
