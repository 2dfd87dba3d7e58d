import type { FirebaseParameters } from '../domain/passwords/foreign-forms.ts'
import {
  at,
  booleanOf,
  emailOf,
  fieldsOf,
  isNothing,
  listOf,
  objectOf,
  plain,
  textOf,
  timeOf
} from './import-fields.ts'
import type { Fields } from './import-fields.ts'

export interface Options {
  firebase: FirebaseParameters | undefined
  accept(read: () => string): string | undefined
}

/** Where an export has each fact. A path is in any spelling, and `.` leads into an object. */
export interface System {
  /** An object inside of each user that has its fields. */
  inside?: string
  /** A list of names and values that are fields as well. */
  pairs?: string
  /** Records without this field are not users. */
  isUser?: string
  id: string
  email: string
  /** The first one that is not empty counts. Two paths make one name. */
  names: string[]
  verified?: string
  /** A time, if the address is confirmed. */
  verifiedAt?: string
  created?: string
  enabled?: string
  disabled?: string
  /** The end of a ban. Without `disabled`, there is a ban until then. */
  bannedUntil?: string
  deletedAt?: string
  password?: string
  totp?: string
  /** Set if the user has a second factor. */
  factors?: string[]
  accounts?: {
    /** Without it, the user has one account, in fields of its own. */
    list?: string
    provider: string
    subject: string
    email?: string
    /** In the account that is not at a provider. */
    password?: string
  }
  /** Further fields that `special` reads. */
  reads?: string[]
  special?(user: Fields, options: Options): Special
}

/** Facts that one system alone has replace those of its table. */
interface Special {
  emailVerified?: boolean | undefined
  status?: 'deactivated' | undefined
  passwordHash?: string | undefined
  totp?: string | undefined
  hasFactor?: boolean
  leftOut?: string[]
}

export interface Converted {
  /** A line in the form of docs/lookup/cli.md. Its checks come later. */
  line: Record<string, unknown>
  hasFactor: boolean
  /** The facts that the line does not have. */
  leftOut: string[]
}

/** Returns the kind of a record that is not a user. Throws a refusal. */
export function convert(system: System, given: unknown, options: Options): Converted | string {
  const user = userOf(system, given)
  const path = (name: string | undefined) => (name === undefined ? undefined : at(user, name))
  if (system.isUser !== undefined && path(system.isUser) === undefined) {
    return `records of ${shown(textOf(path('model')) ?? 'another kind')}`
  }
  const email = emailOf(path(system.email))
  const name = system.names
    .map((words) => words.split(' ').map((word) => textOf(path(word))?.trim() ?? ''))
    .map((words) => words.join(' ').trim())
    .find((each) => each !== '')
  const bannedUntil = timeOf(path(system.bannedUntil), 'status')
  const isDisabled = booleanOf(path(system.disabled), 'status')
  const isBanned =
    (isDisabled ?? (system.disabled === undefined && bannedUntil !== undefined)) &&
    (bannedUntil === undefined || bannedUntil > new Date())
  const isGone = !isNothing(path(system.deletedAt))
  const isOff = booleanOf(path(system.enabled), 'status') === false
  const accounts = accountsOf(system, user)
  const password = textOf(path(system.password)) ?? accounts.password
  const { hasFactor, leftOut = [], ...special } = system.special?.(user, options) ?? {}
  const line = {
    id: textOf(path(system.id)),
    email,
    // Many systems do not ask for a name.
    name: name ?? email.split('@')[0],
    emailVerified:
      system.verifiedAt === undefined
        ? booleanOf(path(system.verified), 'emailVerified')
        : timeOf(path(system.verifiedAt), 'emailVerified') !== undefined,
    status: isBanned || isGone || isOff ? 'deactivated' : undefined,
    createdAt: timeOf(path(system.created), 'createdAt')?.toISOString(),
    passwordHash: password,
    totp: textOf(path(system.totp)),
    providers: accounts.known.length > 0 ? accounts.known : undefined,
    ...special
  }
  return {
    line: Object.fromEntries(Object.entries(line).filter(([, value]) => value !== undefined)),
    hasFactor:
      hasFactor ?? [system.totp, ...(system.factors ?? [])].some((each) => !isNothing(path(each))),
    leftOut: [
      ...leftOut,
      ...accounts.leftOut,
      ...(isBanned && bannedUntil ? ['the end of a ban'] : []),
      ...unread(system, user)
    ]
  }
}

function userOf({ inside, pairs }: System, given: unknown): Fields {
  const entry = objectOf(given)
  const { [inside ?? '']: fields, [pairs ?? '']: attributes, ...others } = entry
  const named = listOf(attributes).map((each) => {
    const pair = fieldsOf(each)
    return [String(at(pair, 'name')), at(pair, 'value')]
  })
  return fieldsOf({ ...others, ...objectOf(fields), ...Object.fromEntries(named) })
}

/** Names that other systems use for providers whose subjects are the same in every system. */
const issuers = new Map(
  Object.entries({
    'https://accounts.google.com': ['google', 'google.com', 'google-oauth2', 'google_oauth2'],
    'https://github.com': ['github', 'github.com'],
    'https://appleid.apple.com': ['apple', 'apple.com', 'signinwithapple']
  }).flatMap(([issuer, names]) => names.map((name) => [name, issuer] as const))
)
/** Names that they use for an account of their own, which has the password. */
const own = ['credential', 'credentials', 'email', 'password', 'auth0', 'default', 'local']

/** Accounts at providers that are not known are left out: their users link them again. */
function accountsOf({ accounts: where }: System, user: Fields) {
  const found = {
    known: [] as object[],
    leftOut: [] as string[],
    password: undefined as string | undefined
  }
  if (!where) return found
  const items = where.list === undefined ? [user] : listOf(at(user, where.list)).map(fieldsOf)
  for (const item of items) {
    const provider = textOf(at(item, where.provider))?.toLowerCase()
    if (provider === undefined || own.includes(provider)) {
      found.password ??= where.password === undefined ? undefined : textOf(at(item, where.password))
      continue
    }
    const [issuer, subject] = [issuers.get(provider), textOf(at(item, where.subject))]
    const email = where.email === undefined ? undefined : textOf(at(item, where.email))
    if (issuer === undefined || subject === undefined) {
      found.leftOut.push(`accounts at ${shown(provider)}`)
    } else found.known.push({ issuer, subject, ...(email !== undefined && { email }) })
  }
  return found
}

/** The first fields of the paths that a system reads, each with the second ones. */
const readBy = new WeakMap<System, Map<string, Set<string>>>()

function readPaths(system: System) {
  const {
    inside,
    pairs,
    isUser,
    names,
    factors = [],
    reads = [],
    accounts,
    special,
    ...facts
  } = system
  const ofAccounts = accounts?.list ?? Object.values(accounts ?? {})
  const paths = [
    ...Object.values(facts),
    ...names.flatMap((words) => words.split(' ')),
    ...factors,
    ...reads,
    ...[ofAccounts].flat()
  ]
  const found = new Map<string, Set<string>>(
    isUser === undefined ? [] : [[plain('model'), new Set<string>()]]
  )
  for (const path of paths) {
    const [first = '', second] = path.split('.').map(plain)
    const inner = found.get(first) ?? new Set<string>()
    if (second !== undefined) inner.add(second)
    found.set(first, inner)
  }
  return found
}

/** The names of the fields that have a value and are not read. */
function unread(system: System, user: Fields): string[] {
  const paths = readBy.get(system) ?? readPaths(system)
  readBy.set(system, paths)
  return [...user].flatMap(([key, { name, value }]) => {
    if (isNothing(value)) return []
    const inner = paths.get(key)
    if (!inner) return [shown(name)]
    if (inner.size === 0) return []
    return [...fieldsOf(value)]
      .filter(([each, field]) => !inner.has(each) && !isNothing(field.value))
      .map(([, field]) => shown(`${name}.${field.name}`))
  })
}

/** Names from a file are shown on a terminal. */
const shown = (name: string) => name.replaceAll(/[^\w.@:/ -]/g, '?').slice(0, 60)
