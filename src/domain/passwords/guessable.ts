/** Whose password it is to be: what others would try first. */
export interface Owner {
  email: string
  name: string
}

/** Each goes on from its beginning: after 9 comes 0 or 1, after z comes a. */
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
 * Why a password would be among the first that somebody tries, or undefined. Whole passwords only, never a part of one:
 * a long one may hold any word (OWASP ASVS 5.0, 6.2.4, 6.2.5 and 6.2.11).
 */
export async function whyGuessable(password: string, owner: Owner): Promise<string | undefined> {
  const text = password.normalize('NFC').toLowerCase()
  const [local = '', domain = ''] = splitEmail(owner.email.toLowerCase())
  const unit = repeatedUnit(text)
  if ([...unit].length === 1) {
    return 'Is one character repeated. Use a few words that do not belong together'
  }
  for (const [what, word] of [
    ['your e-mail address', owner.email],
    ['the name in your e-mail address', local],
    ['the domain of your e-mail address', domain],
    ['your name', owner.name],
    ['the name of this service', 'portal']
  ] as const) {
    if (isSame(unit, word) || isSame(text, word)) {
      return `Is ${what}${unit === text ? '' : ', repeated'}. Use something nobody would connect with you`
    }
  }
  if ([...unit].length < 4 && unit !== text) {
    return 'Is a short piece repeated. Use a few words that do not belong together'
  }
  if (isRow(text) || isRow(unit)) {
    return 'Is a row of the keyboard or of the alphabet. Use a few words that do not belong together'
  }
  known ??= loadKnown()
  const common = await known
  if (common.has(text) || common.has(unit)) {
    return 'Is one of the passwords that are tried first everywhere. Use a few words that do not belong together'
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

/** The shortest text of which the whole is a repetition: itself when it is none. */
function repeatedUnit(text: string): string {
  const again = (text + text).indexOf(text, 1)
  return text.slice(0, again)
}

/** Some 49,000 passwords and two megabytes: loaded when the first password is chosen. */
async function loadKnown() {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
}
