import '../sign-in.css'
import { Field } from '../../shared/controls.tsx'
import { Form } from '../../shared/form.tsx'
import { Page, settings } from '../../shared/page.tsx'
import { ProblemNotice } from '../../shared/problem.tsx'
import { Mark } from '../shell/icons.tsx'
import { connect, linkFailure } from './access.ts'

/** In place of every view, for a page that was not opened with a link. */
export const LinkMissing = () => (
  <main class="gate">
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
export const LinkForm = () => (
  <Form action="Continue" onSubmit={({ link = '' }) => connect(link)}>
    <Field label="Link" name="link" required spellcheck={false} maxLength={200} autofocus />
  </Form>
)
