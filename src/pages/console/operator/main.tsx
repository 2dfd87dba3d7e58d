// First, because it takes the link out of the address.
import { connect, linkFailure, readOperator, startWords } from './access.ts'
import { startConsole } from '../start.tsx'
import '../sign-in.css'
import './operator.css'
import { useEffect, useState } from 'preact/hooks'
import { client } from '../../shared/client.ts'
import { Dialog, withDialogs } from '../../shared/dialog.tsx'
import { Field } from '../../shared/controls.tsx'
import { Action, Form } from '../../shared/form.tsx'
import { Page, settings } from '../../shared/page.tsx'
import { Mistake, ProblemNotice } from '../../shared/problem.tsx'
import { hasSessionEnded } from '../../shared/session.ts'
import { Mark } from '../shell/icons.tsx'
import { facts } from './facts.ts'

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
        <Action label="Back to the page" kind="outline" onPress={() => setOpen(false)} />
      </div>
    </Dialog>
  )
}

const Continue = ({ onPress }: { onPress(): void }) => (
  <p class="ended" role="alert">
    The console has ended. <Action label="Continue" kind="outline" onPress={onPress} />
  </p>
)

/** A tunnel may be there again. */
async function tryAgain() {
  await client.session.look()
  if (hasSessionEnded.value) throw new Mistake('It still cannot be reached.')
}

/** In place of every view, for a page that was not opened with a link. */
const LinkMissing = () => (
  <main class="gate card">
    <Mark />
    <Page title="Console" about={settings.product}>
      {linkFailure.value !== undefined && <ProblemNotice error={linkFailure.value} />}
      <p>
        Open the link that <code>portal console</code> has printed in its terminal. It works once:
        press Enter there for another one.
      </p>
      <LinkForm />
    </Page>
  </main>
)

/** Takes a link that was pasted. */
const LinkForm = () => (
  <Form action="Continue" onSubmit={({ link = '' }) => connect(link)}>
    <Field label="Link" name="link" required spellcheck={false} maxLength={200} autofocus />
  </Form>
)

await startConsole({ read: readOperator, Nobody: LinkMissing, Where, Dialogs: ConsoleEnded })

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
