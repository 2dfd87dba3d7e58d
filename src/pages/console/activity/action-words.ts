import { capital } from '../../shared/capital.ts'
import { done } from './sentences.ts'

/** In place of what only a record knows. Other placeholders are left out. */
const anything: Partial<Record<string, string>> = {
  actor: 'a user',
  email: 'somebody',
  name: 'another name',
  role: 'a role',
  scope: 'a scope',
  permission: 'a permission',
  provider: 'a provider',
  fields: 'details',
  sessions: 'a session',
  members: 'users',
  mails: 'mail',
  events: 'events',
  users: 'users',
  rejected: 'settings',
  required: 'required or waived',
  route: 'a call'
}

/** An action in the words of its sentences: `user.role-grant` is “Granted a role”. */
export const wordsOf = (action: string) =>
  capital(
    (done[action] ?? action)
      .replace(/the (\w+|API key) \{(target|name|provider)\}/i, (_, noun: string) =>
        noun === 'API key' ? 'an API key' : `a ${noun}`
      )
      .replace(/ (to|of) \{target\}/, /^(auth|user)/.test(action) ? ' $1 a user' : '')
      .replace('settings {fields}', 'settings')
      .replace('{target}', /^(auth|user)/.test(action) ? 'a user' : '')
      .replaceAll(/ ?\{(\w+)\}/g, (_, name: string) =>
        name in anything ? ` ${anything[name]}` : ''
      )
      .trim()
  )

/** Actions of the portal and these, to choose from, in the order of their words. */
export const actionOptions = (others: readonly string[]) =>
  [...new Set([...Object.keys(done), ...others])]
    .map((action) => [action, `${wordsOf(action)} (${action})`] as const)
    .sort(([, one], [, other]) => one.localeCompare(other))
