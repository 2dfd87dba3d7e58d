import { Link } from 'wouter-preact'
import { Action } from '../shared/form.tsx'
import { Loaded, reloadAll, useGet } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { named } from './action-buttons.tsx'
import { Command } from './command-line.tsx'
import { countEvents } from './counts.ts'
import { checksOf } from './overview/alerts.ts'
import { periods, useSummary } from './overview/summary.ts'
import { Row } from './parts.tsx'

const period = periods['48-hours']

/** Lists what is checked, what is wrong first, each with the view and the command that help. */
export function Health() {
  const state = useGet('/api/admin/overview')
  const { summary, first, end, from } = useSummary(period)
  const counted = summary.value && countEvents(summary.value, first, end)
  return (
    <Page
      title="Health"
      about="Whether something needs attention, and what to do about it."
      action={<Action label="Reload" kind="outline" onPress={reloadAll} />}
    >
      <Loaded from={state}>
        {(overview) => {
          const { signIns: successes = 0, failures = 0 } = counted ?? {}
          const signIns = counted && { from, period: period.title, successes, failures }
          return <Checks of={checksOf(overview, signIns)} />
        }}
      </Loaded>
      {summary.error !== undefined && <Loaded from={summary}>{() => null}</Loaded>}
      <Command command="portal doctor" />
    </Page>
  )
}

function Checks({ of: checks }: { of: ReturnType<typeof checksOf> }) {
  const wrong = checks.filter(({ isWrong }) => isWrong).length
  return (
    <>
      <p class="summary" role="status">
        <Verdict
          isWrong={wrong > 0}
          text={wrong > 0 ? `Needs attention: ${wrong} of ${checks.length} checks` : 'Ready'}
        />
        {wrong === 0 && 'Nothing needs attention.'}
      </p>
      <ul class="rows" aria-label="Checks">
        {checks.map(({ name, isWrong, text, href, command }) => (
          <Row key={name} title={name} below={text}>
            <Verdict isWrong={isWrong} text={isWrong ? 'Needs attention' : 'OK'} />
            {isWrong && href !== '/health' && <Link href={href}>{named('Show', name)}</Link>}
            {isWrong && <Command command={command} />}
          </Row>
        ))}
      </ul>
    </>
  )
}

const Verdict = ({ isWrong, text }: { isWrong: boolean; text: string }) => (
  <span class={isWrong ? 'chip warn' : 'chip good'}>{text}</span>
)
