/** The account that a password is for: its details are among the first guesses. */
export interface Owner {
  email: string
  name: string
}

/** Each sequence wraps around: 9 is followed by 0 or 1, z by a. */
const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789',
  '123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp'
]
const bothWays = [...rows, ...rows.map((row) => [...row].reverse().join(''))]

let known: Promise<Set<string>> | undefined

/**
 * Why a password is easy to guess, or undefined. Compares whole passwords only, because a long
 * password may contain any word (OWASP ASVS 5.0, 6.2.4, 6.2.5 and 6.2.11).
 */
export async function guessableReason(password: string, owner: Owner): Promise<string | undefined> {
  const text = password.normalize('NFC').toLowerCase()
  const [local = '', domain = ''] = splitEmail(owner.email.toLowerCase())
  const unit = repeatedUnit(text)
  if ([...unit].length === 1) {
    return 'Must not be one repeated character. Use several unrelated words'
  }
  for (const [what, word] of [
    ['your e-mail address', owner.email],
    ['the name in your e-mail address', local],
    ['the domain of your e-mail address', domain],
    ['your name', owner.name],
    ['the name of this service', 'portal']
  ] as const) {
    if (isSame(unit, word) || isSame(text, word)) {
      const repeated = unit === text ? '' : ', repeated'
      return `Must not be ${what}${repeated}. Use something unrelated to you`
    }
  }
  if ([...unit].length < 4 && unit !== text) {
    return 'Must not be a short text repeated. Use several unrelated words'
  }
  if (isRow(text) || isRow(unit)) {
    return 'Must not be a keyboard or alphabet sequence. Use several unrelated words'
  }
  known ??= loadKnown()
  const common = await known
  if (common.has(text) || common.has(unit)) {
    return 'Must not be a common password. Use several unrelated words'
  }
}

const isRow = (text: string) =>
  bothWays.some((row) => row.repeat(1 + Math.ceil(text.length / row.length)).includes(text))
const isSame = (text: string, word: string) =>
  word !== '' && squeeze(text) === squeeze(word.normalize('NFC').toLowerCase())
const squeeze = (text: string) => text.replace(/\s/g, '')

function splitEmail(email: string) {
  const at = email.lastIndexOf('@')
  return at < 0 ? [] : [email.slice(0, at), email.slice(at + 1)]
}

/** The shortest text that the whole text repeats; the text itself when it repeats nothing. */
function repeatedUnit(text: string): string {
  const again = (text + text).indexOf(text, 1)
  return text.slice(0, again)
}

/** About 49,000 passwords and two megabytes, so it is loaded when the first password is set. */
async function loadKnown() {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
}
