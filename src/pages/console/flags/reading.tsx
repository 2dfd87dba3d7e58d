import { useLocation } from 'wouter-preact'
import { upcomingChanges } from '../../../common/upcoming-changes.ts'
import { capital } from '../../shared/capital.ts'
import type { Schemas } from '../../shared/client.ts'
import { Action } from '../../shared/form.tsx'
import { settings } from '../../shared/page.tsx'
import { Time } from '../../shared/time.tsx'
import { Copy, quoted } from '../command-line.tsx'
import { Table } from '../list/table.tsx'
import { Row } from '../parts.tsx'
import { editorOf, isEditing } from './parts.tsx'
import { useAddRule } from './rules.tsx'
import { partsOf, ruleSentence, whyUnreachable } from './sentences.ts'

type Flag = Schemas['Flag']

interface ReadingProps {
  flag: Flag
  /** The id of the rule that decided a trial. */
  decided: string | null | undefined
}

/** A flag as it is saved: who gets what. */
export function Reading({ flag, decided }: ReadingProps) {
  const { key, rules, variants, defaultVariant, offVariant } = flag
  const [, navigate] = useLocation()
  const addRule = useAddRule()
  const rulesWith = (name: string) => {
    const numbers = rules.flatMap(({ serve }, index) =>
      partsOf(serve).some(({ variant }) => variant === name) ? [index + 1] : []
    )
    return numbers.length > 0 && `by rule ${numbers.join(', ')}`
  }
  return (
    <div>
      <section aria-labelledby="rules">
        <h2 id="rules">Rules</h2>
        <p class="muted">{rules.length > 0 ? 'The first that matches decides.' : 'None.'}</p>
        <ol>
          {rules.map((rule, index) => (
            <li key={index}>
              {ruleSentence(rule, flag)} {decided === String(index) && <mark>Decides</mark>}
              <small class="never">{whyUnreachable(rules, index)}</small>
            </li>
          ))}
        </ol>
        {isEditing('edit') && (
          <Action
            label="Add a rule"
            kind="outline"
            onPress={() => {
              navigate(editorOf({ kind: 'flag', key }))
              addRule()
            }}
          />
        )}
      </section>
      <section>
        <h2>Variants</h2>
        <Table
          label="Variants"
          columns={[
            { title: 'Variant', cell: ([name]) => name },
            { title: 'Value', cell: ([, value]) => <code>{JSON.stringify(value)}</code> },
            {
              title: 'Served',
              cell: ([name]) =>
                [
                  rulesWith(name),
                  name === defaultVariant && 'when no rule matches',
                  name === offVariant && 'when the flag is disabled'
                ]
                  .filter(Boolean)
                  .join(', ')
            }
          ]}
          items={Object.entries(variants)}
          keyOf={([name]) => name}
          empty=""
        />
      </section>
      <Upcoming flag={flag} />
    </div>
  )
}

/** Without its times, which are in the line above. */
function untimed({ when, serve }: Flag['rules'][number]) {
  const { from: _, until: __, ...others } = when
  return { when: others, serve }
}

/** When rules of a flag begin and end next. Nothing of a flag without times ahead. */
function Upcoming({ flag }: Pick<ReadingProps, 'flag'>) {
  const changes = upcomingChanges(flag, Date.now())
  if (changes.length === 0) return null
  return (
    <section aria-labelledby="ahead-heading">
      <h2 id="ahead-heading">What will change</h2>
      <ul class="rows">
        {changes.map(({ at, rule, change }) => (
          <Row
            key={`${rule} ${change}`}
            title={<Time at={at.toISOString()} />}
            note={`: rule ${rule + 1} ${change}`}
            below={flag.rules[rule] && ruleSentence(untimed(flag.rules[rule]), flag)}
          />
        ))}
      </ul>
    </section>
  )
}

/** The lines of code that ask for a flag. Their default is what the disabled flag serves. */
export function UseIt({
  flag: { key, type, variants, offVariant, public: isPublic }
}: {
  flag: Flag
}) {
  const call = `flags.get${capital(type)}Value`
  const values = `${JSON.stringify(key)}, ${JSON.stringify(variants[offVariant])}`
  // The console of an operator is not where the portal is.
  const origin = settings.surface ? '$PUBLIC_ORIGIN' : location.origin
  const body = { context: { targetingKey: 'visitor-7' } }
  const lines = {
    Browser: `${call}(${values})`,
    ...(type !== 'object' && { React: `useFlag(${values})` }),
    Node: `await ${call}(${values}, { targetingKey: user.id })`,
    curl:
      `curl -X POST ${origin}/ofrep/v1/evaluate/flags/${key} ` +
      `-H 'content-type: application/json' -d ${quoted(JSON.stringify(body))}`
  }
  return (
    <section aria-labelledby="use-it">
      <h2 id="use-it">Use it</h2>
      <p class="muted">
        <code>flags</code> is <code>OpenFeature.getClient()</code>, and <code>useFlag</code> comes
        from <code>portal-client/react</code>.
        {!isPublic && ' In Node and curl, a flag that is not public needs the session of a user.'}
      </p>
      <ul class="rows">
        {Object.entries(lines).map(([name, line]) => (
          <Row key={name} title={name} below={<code>{line}</code>}>
            <Copy text={line} what={`line for ${name}`} />
          </Row>
        ))}
      </ul>
    </section>
  )
}
