import { upcomingChanges } from '../../../common/upcoming-changes.ts'
import { Time } from '../../shared/time.tsx'
import type { Flag } from './form.ts'
import { ruleSentence } from './sentences.ts'

/** Without its times, which are in the line above. */
function untimed({ when, serve }: Flag['rules'][number]) {
  const { from: _, until: __, ...others } = when
  return { when: others, serve }
}

/** When rules of a flag begin and end next. Nothing of a flag without times ahead. */
export function Upcoming({ flag }: { flag: Flag }) {
  const changes = upcomingChanges(flag, Date.now())
  if (changes.length === 0) return null
  return (
    <section aria-labelledby="ahead-heading">
      <h2 id="ahead-heading">What will change</h2>
      <ul class="rows">
        {changes.map(({ at, rule, change }) => (
          <li key={`${rule} ${change}`}>
            <div>
              <strong>
                <Time at={at.toISOString()} />
              </strong>
              : rule {rule + 1} {change}
              <br />
              <small class="muted">
                {flag.rules[rule] && ruleSentence(untimed(flag.rules[rule]), flag)}
              </small>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
