import { Action } from '../shared/form.tsx'
import { Loaded, reloadAll, useGet } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { Command } from './command-line.tsx'
import { alertsOf } from './overview/alerts.ts'

/** Lists what is wrong with the portal, each with the command that helps. */
export const Health = () => (
  <Page
    title="Health"
    about="Whether something needs attention, and the commands that help."
    action={<Action label="Reload" kind="outline" onPress={reloadAll} />}
  >
    <Loaded from={useGet('/api/admin/overview')}>
      {(state) => {
        const found = alertsOf(state)
        return found.length === 0 ? (
          <p class="summary">
            <span class="chip good">Ready</span>Nothing needs attention.
          </p>
        ) : (
          <ul class="rows" aria-label="Findings">
            {found.map(({ text, command }) => (
              <li key={text}>
                <span>{text}</span>
                <code>{command}</code>
              </li>
            ))}
          </ul>
        )
      }}
    </Loaded>
    <Command intro="All checks, on the command line:" command="portal doctor" />
  </Page>
)
