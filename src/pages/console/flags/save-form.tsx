import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import { WithMistakes } from '../../shared/controls.tsx'
import { Action, Form } from '../../shared/form.tsx'
import { Loaded, useLoaded } from '../../shared/load.tsx'
import { isStale } from '../../shared/setting-controls.tsx'
import { CommandLine } from '../command-line.tsx'
import { may, mayWrite } from '../may.ts'
import { Difference } from './difference.tsx'
import type { useEditing } from './editing.ts'
import { readPresent } from './revisions.ts'
import type { Saved, Subject } from './revisions.ts'

interface SaveFormProps<Stored> {
  editing: Pick<
    ReturnType<typeof useEditing<never, { key: string }, object>>,
    'kind' | 'subject' | 'isEdited' | 'mistakes' | 'save' | 'discard'
  > & { base: Saved<Stored> | undefined; reload(newer: Saved<Stored>): void }
  /** Says what is not saved yet. */
  status: ComponentChildren
  /** Above the status. */
  more?: ComponentChildren
  /** Beside the form. */
  beside?: ComponentChildren
  /** The fields. */
  children: ComponentChildren
}

/** The fields of a flag or a segment, and the command that does the same as the form. */
export function SaveForm<Stored extends object>({ beside, ...form }: SaveFormProps<Stored>) {
  const { kind, subject, base, isEdited, mistakes } = form.editing
  const needed = base ? 'flags:update' : 'flags:create'
  const fields = <WithMistakes mistakes={mistakes}>{form.children}</WithMistakes>
  return (
    <>
      <div class="editor">
        {may(needed) && mayWrite() ? (
          <BarForm {...form}>{fields}</BarForm>
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
            <fieldset disabled>{fields}</fieldset>
          </div>
        )}
        {beside}
      </div>
      {(isEdited || !base || !mayWrite()) && (
        <CommandLine
          words={
            base
              ? [`${kind} update`, subject.key, ['--file', 'changes.json']]
              : [`${kind} create`, ['--file', `${kind}.json`]]
          }
        />
      )}
    </>
  )
}

/** The form, with a bar that stays in sight and says what is not saved. */
function BarForm<Stored extends object>(props: Omit<SaveFormProps<Stored>, 'beside'>) {
  const { editing, status, more, children } = props
  const { kind, subject, base, isEdited, save, discard, reload } = editing
  return (
    <Form
      action={base ? 'Save' : `Create the ${kind}`}
      onSubmit={save}
      remedy={(error, clear) =>
        isStale(error) &&
        base && (
          <Meanwhile
            {...{ subject, base }}
            onReload={(newer) => {
              reload(newer)
              clear()
            }}
          />
        )
      }
      bar={
        <>
          {more}
          {status && (
            <p role="status" class={isEdited || !base ? undefined : 'saved'}>
              {status}
            </p>
          )}
        </>
      }
      more={
        <>
          {!base && (
            <Link href={`/${kind}s`} role="button" class="outline">
              Cancel
            </Link>
          )}
          {isEdited && <Action label="Discard the changes" isDangerous onPress={discard} />}
        </>
      }
    >
      {children}
    </Form>
  )
}

interface MeanwhileProps<Stored> {
  subject: Subject
  base: Saved<Stored>
  onReload(newer: Saved<Stored>): void
}

/** Shows what others have saved since the form was opened. */
function Meanwhile<Stored extends object>({ subject, base, onReload }: MeanwhileProps<Stored>) {
  const newer = useLoaded(['/api/admin', 'since', subject, base.etag], () =>
    readPresent<Stored>(subject)
  )
  return (
    <Loaded from={newer}>
      {(saved) => (
        <>
          <p>Saved in the meantime:</p>
          <Difference before={base.value} after={saved.value} />
          <Action label="Reload" kind="outline" onPress={() => onReload(saved)} />{' '}
          <small>Your changes stay in the form, unsaved.</small>
        </>
      )}
    </Loaded>
  )
}
