import type { Schemas } from '../../shared/client.ts'

type Rule = Schemas['FlagRule']

const isForPeople = ({ when }: Rule) => Object.keys(when).join() === 'users'

/** The rules with one above all others that serves a variant to a user. */
export function rulesWith(rules: readonly Rule[], user: string, variant: string): Rule[] {
  // Other rules for people forget the user, so that giving often does not add up.
  const others = rules.flatMap((rule) => {
    if (!isForPeople(rule)) return [rule]
    const users = rule.when.users?.filter((each) => each !== user) ?? []
    return users.length > 0 ? [{ ...rule, when: { users } }] : []
  })
  const [first, ...rest] = others
  const isSame =
    first && isForPeople(first) && 'variant' in first.serve && first.serve.variant === variant
  if (!isSame) return [{ when: { users: [user] }, serve: { variant } }, ...others]
  return [{ ...first, when: { users: [...(first.when.users ?? []), user] } }, ...rest]
}

/** The variant that somebody most likely gets: on, or one that is not the default. */
export function likelyOf({ variants, defaultVariant }: Schemas['Flag']) {
  const names = Object.keys(variants)
  return (
    names.find((name) => variants[name] === true) ??
    names.find((name) => name !== defaultVariant) ??
    defaultVariant
  )
}
