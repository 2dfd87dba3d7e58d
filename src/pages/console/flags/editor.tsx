import './flags.css'
import './row.css'
import { useState } from 'preact/hooks'
import { WithMistakes } from '../../shared/controls.tsx'
import { CommandLine } from '../command-line.tsx'
import { may, mayWrite } from '../may.ts'
import { Basics, Switches } from './basics.tsx'
import { Conflict } from './conflict.tsx'
import { useEditing } from './editing.ts'
import type { EditorProps } from './editing.ts'
import { EditorContext, useFocus } from './fields.tsx'
import type { Decided } from './fields.tsx'
import type { FlagForm } from './form.ts'
import { Json } from './json.tsx'
import { Rules } from './rules.tsx'
import { WithSaveBar } from './save-bar.tsx'
import { sentenceOf } from './sentences.ts'
import { Try } from './trial.tsx'
import { Variants } from './variants.tsx'

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
