// First, because it takes the link out of the address.
import { readOperator, startWords } from './access.ts'
import { startConsole } from '../start.tsx'
import './operator.css'
import { useEffect, useState } from 'preact/hooks'
import { client } from '../../shared/client.ts'
import { Dialog, withDialogs } from '../../shared/dialog.tsx'
import { Action } from '../../shared/form.tsx'
import { Mistake } from '../../shared/problem.tsx'
import { hasSessionEnded } from '../../shared/session.ts'
import { facts } from './facts.ts'
import { LinkMissing, LinkForm } from './link-form.tsx'

/** Says what to do when the process has ended. The page keeps what was typed. */
function ConsoleEnded() {
  const hasEnded = hasSessionEnded.value
  const [isOpen, setOpen] = useState(true)
  useEffect(() => setOpen(true), [hasEnded])
  const isAway = hasEnded && !isOpen
  useEffect(() => {
    if (!isAway) return
    withDialogs.value = <Continue onPress={() => setOpen(true)} />
    return () => {
      withDialogs.value = undefined
    }
  }, [isAway])
  if (!hasEnded) return null
  if (!isOpen) return <Continue onPress={() => setOpen(true)} />
  return (
    <Dialog title="The console has ended" onClose={() => setOpen(false)}>
      <p>
        Its process is gone, cannot be reached, or was opened in another tab. What you have typed is
        still on the page. Start it again, and its tunnel if there is one:
      </p>
      <p>
        <code>{startWords()}</code>
      </p>
      <p>Then paste the link that it prints, to continue here.</p>
      <LinkForm />
      <div class="actions">
        <Action label="Try again" kind="outline" onPress={tryAgain} />
        <button type="button" class="outline" onClick={() => setOpen(false)}>
          Back to the page
        </button>
      </div>
    </Dialog>
  )
}

const Continue = ({ onPress }: { onPress(): void }) => (
  <p class="ended" role="alert">
    The console has ended.{' '}
    <button type="button" class="outline" onClick={onPress}>
      Continue
    </button>
  </p>
)

/** A tunnel may be there again. */
async function tryAgain() {
  await client.session.look()
  if (hasSessionEnded.value) throw new Mistake('It still cannot be reached.')
}

startConsole({ read: readOperator, Nobody: LinkMissing, Where, Dialogs: ConsoleEnded })

/** Above every view: where one is, and whether one can change something. */
function Where() {
  if (!facts.value) return null
  const { environment, canWrite, operator, database } = facts.value
  return (
    <div role="region" aria-label="This console" class={canWrite ? 'where writes' : 'where'}>
      <strong>{environment}</strong>
      <strong>{canWrite ? 'changes allowed' : 'read only'}</strong>
      <span>{operator}</span>
      <span>{database.replace(/^PostgreSQL at /, '')}</span>
    </div>
  )
}
