import type { ComponentChildren } from 'preact'
import { capital } from '../../shared/capital.ts'
import type { Saved } from '../../shared/client.ts'
import { isMissing, Loaded, useLoaded } from '../../shared/load.tsx'
import { Page } from '../../shared/page.tsx'
import { DangerZone } from '../action-buttons.tsx'
import { CommandLine } from '../command-line.tsx'
import { may } from '../may.ts'
import { Gone } from '../parts.tsx'
import { useRemembered } from '../search/found.ts'
import { History, useRevisions } from './history.tsx'
import { isDraft } from './editing.ts'
import { Delete, EditLink } from './parts.tsx'
import { readPresent } from './revisions.ts'
import type { Subject } from './revisions.ts'

interface DefinitionProps<Stored> {
  of: Subject
  /** Whether the editor is shown. */
  isOpen: boolean
  about(stored: Stored): ComponentChildren
  action?(stored: Stored, onSaved: (saved: Saved<Stored>) => void): ComponentChildren
  /** Says what a deletion would end. */
  loss(stored: Stored): string
  isUsed?(stored: Stored): boolean
  /** The editor, and what is between it and the history. */
  children(saved: Saved<Stored>, onSaved: (saved: Saved<Stored>) => void): ComponentChildren
}

/** The page of a flag or a segment: what it is, its history, and how it is deleted. */
export function Definition<Stored extends { updatedAt: string; description: string }>(
  props: DefinitionProps<Stored>
) {
  const { of: subject, isOpen, about, action, loss, isUsed, children } = props
  const { kind, key } = subject
  const loaded = useLoaded(['/api/admin', subject], () => readPresent<Stored>(subject))
  const { value: saved, error, replace } = loaded
  useRevisions(subject) // are loaded along with it, before there is a place for them
  useRemembered(saved && { kind, path: `/${kind}s/${key}`, title: key })
  return (
    <Page
      title={isMissing(error) ? `${capital(kind)} not found` : key}
      about={
        saved && (
          <>
            <span class="summary">
              {about(saved.value)}
              {isDraft(subject) && <span class="chip warn">Unsaved changes</span>}
            </span>
            {saved.value.description}
          </>
        )
      }
      action={
        saved && (
          <>
            {action?.(saved.value, replace)}
            <EditLink of={subject} isOpen={isOpen} />
          </>
        )
      }
    >
      <Loaded
        from={loaded}
        missing={
          <Gone
            title={`There is no ${kind} ${key}`}
            rest="deleted-flags"
            text="Deleted flags and segments"
          />
        }
      >
        {(saved) => (
          <>
            {children(saved, replace)}
            <History of={subject} updatedAt={saved.value.updatedAt} />
            <CommandLine words={[`${kind} show`, key, '--json']} />
            {may('flags:delete') && (
              <DangerZone title={`Delete this ${kind}`} loss={loss(saved.value)}>
                {isUsed?.(saved.value) ? (
                  <button type="button" disabled>
                    Delete
                  </button>
                ) : (
                  <Delete of={subject} etag={saved.etag} />
                )}
              </DangerZone>
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}
