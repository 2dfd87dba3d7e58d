import { root } from './root.ts'

// SQL that not every engine has, or that does not work behind a pooler of transactions: the portal
// does without. test/db/portable.test.ts reads the sources, and every test that uses a database
// reads the statements that Drizzle sends, whatever they were put together from.

const rules: Record<string, RegExp> = {
  'advisory lock': /\bpg_(try_)?advisory_\w+/i,
  'listen and notify': /\b(un)?listen +["*\w]|\bnotify +["\w]|\bpg_notify\b/i,
  'table lock': /\block +(table\b|("?\w+"?\.)?"?\w+"? +in\b)/i,
  // Texts for people begin with "Set" and "reset the …".
  'session setting':
    /^\s*(set|SET)\s+([a-z_.]+\s*(=|to\b|TO\b)|role|session|local|SESSION|LOCAL)|\bset_config\(/,
  'session state': /^\s*(reset|discard|deallocate)\s+\S+$/,
  'temporary object': /\btemp(orary)? +(table|view|sequence)\b|\bpg_temp\b/i,
  'deferred constraint': /\bdeferrable\b|\binitially +deferred\b|\bset +constraints\b/i,
  sequence:
    /\b(nextval|currval|setval|lastval)\(|\bsequence\b|\b(big|small)?serial\b|\bas +identity\b/i,
  'trigger or function': /\btrigger\b|\b(function|procedure|rule)\s+"?\w+"?\s*(\(|as\b)|\bdo +\$/i,
  cursor: /^\s*declare\b|\bcursor\b|\bwith +hold\b/i,
  'two-phase commit': /\b(prepare transaction|commit prepared|rollback prepared)\b/i,
  'place of a row': /\b(ctid|xmin|xmax|tableoid)\b/i
}

/** Exceptions. Migrations and commands may run on a direct connection. */
const allowed: [file: RegExp, rule: string][] = [
  [/^db\/postgres\/engine\.ts$/, 'advisory lock'], // one process migrates at a time
  [/^src\/commands\//, 'advisory lock'],
  [/^db\/migrate\.ts$/, 'sequence'], // the table of applied migrations is Drizzle's
  [/^src\/base\/migrations\.ts$/, ''], // an app can use all of PostgreSQL
  [/^db\/schema-changes\.ts$/, 'session setting'], // time-outs of the transaction only
  [/^test\//, '']
]

/** The names of the rules that a statement in this file breaks. */
export const unportable = (statement: string, file = '') =>
  Object.keys(rules).filter(
    (rule) =>
      rules[rule]?.test(statement) &&
      !allowed.some(([where, what]) => where.test(file) && (what === rule || what === ''))
  )

const passed = new Set<string>()

/** Throws when the portal sends a statement that breaks a rule. Tests may send any. */
export function checkPortable(statement: string) {
  if (passed.has(statement)) return
  if (unportable(statement).length > 0) {
    const broken = unportable(statement, sender())
    if (broken.length > 0) throw new Error(`not portable (${broken.join(', ')}): ${statement}`)
    return
  }
  passed.add(statement)
}

/** The file that called Drizzle; empty for a query builder, which runs when it is awaited. */
export function sender() {
  const frames = (new Error().stack ?? '').split('\n').slice(1)
  const frame =
    frames.find((each) => !/node_modules|node:|portable-sql|statements/.test(each)) ?? ''
  return /^(?:\/\.build)?\/(.+?\.)[jt]s:/.exec(frame.split(root)[1] ?? '')?.[1]?.concat('ts') ?? ''
}
