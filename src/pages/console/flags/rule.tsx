import { useEffect, useState } from 'preact/hooks'
import { Conditions } from './conditions.tsx'
import { Area, Field } from '../../shared/controls.tsx'
import { at, useEditor, VariantChoice } from './fields.tsx'
import { newId, operators, split } from './form.ts'
import type { FlagForm, RuleForm } from './form.ts'
import { Shares } from './shares.tsx'
import { wordsOf } from './texts.ts'

interface RuleProps {
  rule: RuleForm
  index: number
  isOpenAtFirst: boolean
  onMove(by: 1 | -1): void
  onRemove(): void
}

/** A rule as a card: its summary, and its fields when it is open. */
export function Rule({ rule, index, isOpenAtFirst, onMove, onRemove }: RuleProps) {
  const { form, edit, mistakes, decided } = useEditor()
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const { id } = rule
  const place = `rules/${id}`
  const isWrong = Object.keys(mistakes).some((each) => each.startsWith(`${place}/`))
  useEffect(() => {
    if (isWrong) setOpen(true)
  }, [isWrong])
  const decides = decided?.rule === id
  const change = (inner: string, changes: (rule: RuleForm) => Partial<RuleForm>) =>
    edit(`${place}${inner}`, (before) => ({
      ...before,
      rules: before.rules.map((each) => (each.id === id ? { ...each, ...changes(each) } : each))
    }))
  const button = (by: 1 | -1, name: 'up' | 'down') => (
    <button id={`${name}/${id}`} type="button" class="secondary outline" onClick={() => onMove(by)}>
      {name === 'up' ? 'Up' : 'Down'}
      <span class="unseen"> rule {index + 1}</span>
    </button>
  )
  return (
    <article class={decides ? 'decides' : undefined} aria-labelledby={`title/${id}`}>
      <header>
        <h3 id={`title/${id}`}>
          Rule {index + 1} {decides && <mark>Decides</mark>}
        </h3>
        <div class="actions">
          {button(-1, 'up')}
          {button(1, 'down')}
          <button type="button" class="secondary outline" onClick={onRemove}>
            Remove<span class="unseen"> rule {index + 1}</span>
          </button>
        </div>
      </header>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{sentenceOf(rule, form)}</summary>
        <div class="grid">
          <Field
            label="Roles"
            {...at(`${place}/roles`)}
            hint="The user has any of these roles. Separate keys with commas."
            value={rule.roles}
            onValue={(roles) => change('/roles', () => ({ roles }))}
          />
          <Area
            label="Targeting keys"
            {...at(`${place}/users`)}
            hint="One per line: user ids, or the targeting keys that an app sends."
            spellcheck={false}
            value={rule.users}
            onValue={(users) => change('/users', () => ({ users }))}
          />
        </div>
        <Conditions
          place={place}
          conditions={rule.attributes}
          onChange={(inner, alter) =>
            change(`/attributes${inner}`, ({ attributes }) => ({ attributes: alter(attributes) }))
          }
        />
        <VariantChoice
          label="Serve"
          {...at(`${place}/serve`)}
          value={rule.serve}
          withSplit={split}
          onValue={(serve) =>
            change('/serve', ({ shares }) => ({
              serve,
              shares: serve !== split || shares.length > 0 ? shares : evenShares(form)
            }))
          }
        />
        {rule.serve === split && (
          <Shares
            place={place}
            shares={rule.shares}
            bucket={decides ? decided.bucket : null}
            onChange={(inner, alter) =>
              change(`/${inner}`, ({ shares }) => ({ shares: alter(shares) }))
            }
          />
        )}
      </details>
    </article>
  )
}

/** The first variant gets everything: others take from it. */
const evenShares = ({ variants }: FlagForm) =>
  variants.map(({ id }, n) => ({ id: newId(), variant: id, percent: n === 0 ? '100' : '0' }))

function sentenceOf({ roles, users, attributes, serve, shares }: RuleForm, { variants }: FlagForm) {
  const nameOf = (id: string) => variants.find((variant) => variant.id === id)?.name ?? '?'
  const keys = users.split('\n').filter((line) => line.trim() !== '')
  const parts = [
    ...(wordsOf(roles).length > 0 ? [`role ${wordsOf(roles).join(' or ')}`] : []),
    ...(keys.length > 0
      ? [keys.length === 1 ? `key ${keys[0]}` : `one of ${keys.length} keys`]
      : []),
    ...attributes.map(
      ({ name, op, values }) => `${name} ${operators[op]} ${values.trim().split('\n').join(', ')}`
    )
  ]
  const served =
    serve === split
      ? shares.map((share) => `${nameOf(share.variant)} ${share.percent} %`).join(', ')
      : nameOf(serve)
  return cut(`${parts.join(' and ') || 'everybody'}: ${served}`)
}

/** A summary, not the whole of a long list. */
const cut = (text: string) => (text.length > 200 ? `${text.slice(0, 199)}…` : text)
