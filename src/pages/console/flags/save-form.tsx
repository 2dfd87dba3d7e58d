import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import type { Saved } from '../../shared/client.ts'
import { WithMistakes } from '../../shared/controls.tsx'
import { Action, Form } from '../../shared/form.tsx'
import { Loaded, useLoaded } from '../../shared/load.tsx'
import { isStale } from '../../shared/setting-controls.tsx'
import { CommandLine } from '../command-line.tsx'
import { Difference } from './difference.tsx'
import type { useEditing } from './editing.ts'
import { updateWords } from './parts.tsx'
import { readPresent } from './revisions.ts'
import type { Subject } from './revisions.ts'

interface SaveFormProps<Stored> {
  editing: Pick<
    ReturnType<typeof useEditing<never, { key: string }, object>>,
    'kind' | 'subject' | 'isEdited' | 'mistakes' | 'save' | 'discard'
  > & { base: Saved<Stored> | undefined; reload(newer: Saved<Stored>): void }
  /** Says what is not saved yet. */
  status: ComponentChildren
  /** Above the status. */
  more?: ComponentChildren
  /** The fields. */
  children: ComponentChildren
}

/**
 * The fields of a flag or a segment, with a bar that stays in sight and says what is not saved, and
 * the command that does the same.
 */
export function SaveForm<Stored extends object>(props: SaveFormProps<Stored>) {
  const { editing, status, more, children } = props
  const { kind, subject, base, isEdited, mistakes, save, discard, reload } = editing
  return (
    <Form
      action={base ? 'Save' : `Create the ${kind}`}
      // The one action of the view is to save, once there is something to save.
      kind={base && !isEdited ? 'outline' : undefined}
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
          {status && <p role="status">{status}</p>}
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
      <WithMistakes mistakes={mistakes}>{children}</WithMistakes>
      {(isEdited || !base) && (
        <CommandLine
          words={base ? updateWords(subject) : [`${kind} create`, ['--file', `${kind}.json`]]}
        />
      )}
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
