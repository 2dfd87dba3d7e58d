import type { ComponentChildren } from 'preact'
import { Form } from '../../shared/form.tsx'
import { changesOf, inWords } from './changes.ts'
import type { useEditing } from './editing.ts'
import { Cancel } from './missing.tsx'
import { Mistakes } from './mistakes.tsx'

interface SaveBarProps {
  editing: ReturnType<typeof useEditing>
  /** The fields. */
  children: ComponentChildren
}

/** The fields of a flag above a bar that stays in sight and says what is not saved yet. */
export function WithSaveBar({ editing, children }: SaveBarProps) {
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
