import { Link } from 'wouter-preact'
import { Action } from '../shared/form.tsx'
import { Loaded, reloadAll, useGet } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { named } from './action-buttons.tsx'
import { Command } from './command-line.tsx'
import { checksOf } from './overview/alerts.ts'
import { Row } from './parts.tsx'

/** Lists what is checked, what is wrong first, each with the view and the command that help. */
export const Health = () => (
  <Page
    title="Health"
    about="Whether something needs attention, and what to do about it."
    action={<Action label="Reload" kind="outline" onPress={reloadAll} />}
  >
    <Loaded from={useGet('/api/admin/overview')}>
      {(state) => {
        const checks = checksOf(state)
        const wrong = checks.filter(({ isWrong }) => isWrong).length
        return (
          <>
            <p class="summary" role="status">
              <span class={wrong > 0 ? 'chip warn' : 'chip good'}>
                {wrong > 0 ? `Needs attention: ${wrong} of ${checks.length} checks` : 'Ready'}
              </span>
              {wrong === 0 && 'Nothing needs attention.'}
            </p>
            <ul class="rows" aria-label="Checks">
              {checks.map(({ name, isWrong, text, href, command }) => (
                <Row key={name} title={name} below={text}>
                  <span class={isWrong ? 'chip warn' : 'chip good'}>
                    {isWrong ? 'Needs attention' : 'OK'}
                  </span>
                  {isWrong && href !== '/health' && <Link href={href}>{named('Show', name)}</Link>}
                  {isWrong && <Command command={command} />}
                </Row>
              ))}
            </ul>
          </>
        )
      }}
    </Loaded>
    <Command command="portal doctor" />
  </Page>
)
