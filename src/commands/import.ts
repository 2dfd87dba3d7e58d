import { loadProviders, loadSettingsConfig } from '../config/config.ts'
import { acceptHash, prepareUser } from '../domain/administration/import-lines.ts'
import type { ImportChoice, ImportReferences } from '../domain/administration/import-lines.ts'
import { readRoleIds } from '../domain/administration/import.ts'
import { normalizeEmail } from '../domain/users/emails.ts'
import { TransferredUser } from '../schemas/transfer.ts'
import { command, group, inPortal } from './command.ts'
import { UsageError } from './errors.ts'
import { exitCodes } from './exit-codes.ts'
import { flagImport } from './flag-transfer.ts'
import { convert } from './import-convert.ts'
import { entriesOf } from './import-entries.ts'
import { at, fieldsOf, firebaseParameters } from './import-fields.ts'
import { importFile, isRefusal } from './import-file.ts'
import type { ReadUser } from './import-file.ts'
import { sources } from './import-sources.ts'
import type { Json } from './options.ts'
import { printJson, say } from './output.ts'
import type { Portal } from './portal.ts'
import { settingsOf } from './settings.ts'
import { checker, readInput, readPassword } from './terminal.ts'

type ImportOptions = Json &
  ImportChoice & {
    dryRun?: true
    from?: string
    firebaseParameters?: string
    mapping?: string
    probe?: string
    passwordFile?: string
  }

export const importCommands = group({
  what: 'import data',
  examples: ['portal import users users.ndjson', 'portal import flags flags.json'],
  commands: {
    'flags <file>': flagImport,
    'users <file>': command({
      what: 'import users from NDJSON, JSON or CSV; registered e-mail addresses are skipped',
      args: { file: 'file to read; - for stdin' },
      options: [
        ['--dry-run', 'report what would happen without changing anything'],
        [
          '--from <system>',
          'the file is an export of this system',
          { choices: Object.keys(sources) }
        ],
        ['--firebase-parameters <file>', 'password hash parameters of a Firebase project'],
        ['--probe <email>', 'first ask for the password of this user, and verify it'],
        ['--password-file <file>', 'read that password from a file; - for stdin'],
        ['--no-passwords', 'import users without their passwords'],
        ['--drop-unsafe-hashes', 'import a user without a password whose hash is not safe'],
        ['--no-providers', 'import users without their accounts at providers'],
        ['--with-totp', 'import the secrets of one-time codes as well'],
        [
          '--mapping <file>',
          'write the id in the other system and the id here',
          { conflicts: 'dryRun' }
        ]
      ],
      examples: [
        'users.ndjson',
        'users.ndjson --dry-run',
        'users.ndjson --from keycloak --probe ada@example.com --mapping ids.ndjson'
      ],
      run: inPortal(importAll, loadSettingsConfig)
    })
  }
})

async function importAll(portal: Portal, { json, ...options }: ImportOptions, file: string) {
  const { dryRun, mapping } = options
  const known = {
    roles: await readRoleIds(portal.db),
    scopedRoles: await readRoleIds(portal.db, true),
    providerOf: providerKeys(),
    settings: await settingsOf(portal.config)
  }
  const read = await userReader(known, options)
  if (options.probe !== undefined) await probe(portal, file, read, options)
  const { roles } = known
  const total = await importFile(portal, file, { read, roles, dryRun, mapping })
  const { created, skipped, unproved, bad, secondFactorsLeftOut } = total
  say(
    `${dryRun ? 'would import' : 'imported'} ${created}, skipped ${skipped} existing` +
      `${unproved > 0 ? ` and ${unproved} with an unconfirmed address` : ''}, rejected ${bad}`
  )
  if (secondFactorsLeftOut > 0) say(leftOutWords(secondFactorsLeftOut, options))
  for (const sentence of restWords(total, options)) say(sentence)
  if (json) await printJson(total)
  if (bad + unproved > 0) process.exitCode = exitCodes.failed
}

/** Says that users need one factor less than in the other system, and what to do. */
function leftOutWords(count: number, { dryRun, withTotp }: ImportOptions) {
  const [left, sign] = dryRun ? ['would be left out', 'would sign in'] : ['was left out', 'sign in']
  const who = count === 1 ? '1 of these users has' : `${count} of these users have`
  const advice = withTotp
    ? 'It is of a kind that cannot be imported.'
    : 'The secrets of authenticator apps are imported with --with-totp.'
  return (
    `${who} a second factor in the other system that ${left}: they ${sign} without one. ` +
    `${advice} Ask these users to set up a new one in their account.`
  )
}

/** Says what else the other system has, so that nothing is lost in silence. */
function* restWords(
  { created, withoutPassword, leftOut }: Awaited<ReturnType<typeof importFile>>,
  { from, passwords }: ImportOptions
) {
  if (withoutPassword > 0) {
    const who = withoutPassword === 1 ? '1 user has' : `${withoutPassword} users have`
    yield `${who} neither a password nor an account at a provider: they recover their accounts.`
  }
  if (from !== undefined && passwords !== false && created > 0 && withoutPassword === created) {
    yield (
      'No user has a password. If there are some in the other system, docs/do/moving.md says ' +
        'how to export them.'
    )
  }
  const names = Object.entries(leftOut).toSorted(([, a], [, b]) => b - a)
  if (names.length > 0) {
    const shown = names.slice(0, shownNames).map(([name, count]) => `${name} (${count})`)
    const more = names.length > shownNames ? ` and ${names.length - shownNames} others` : ''
    yield `Left out, with the number of users: ${shown.join(', ')}${more}.`
  }
}

const shownNames = 50

/** Reads PROVIDERS when the first line has an account at one. */
function providerKeys(): ImportReferences['providerOf'] {
  let keys: Map<string, string> | undefined
  return (issuer) => {
    keys ??= new Map(loadProviders().map((provider) => [provider.issuer, provider.key]))
    return keys.get(issuer)
  }
}

async function userReader(known: ImportReferences, options: ImportOptions): Promise<ReadUser> {
  const { from, firebaseParameters: file } = options
  const firebase = file === undefined ? undefined : firebaseParameters(await readInput(file))
  const needsThem = from === 'firebase' && options.passwords !== false
  if (needsThem && !firebase) {
    throw new UsageError(
      'Firebase needs --firebase-parameters: a file with base64_signer_key, ' +
        'base64_salt_separator, rounds and mem_cost, as its console shows them. ' +
        'Or import without passwords: --no-passwords.'
    )
  }
  const check = await checker(TransferredUser)
  const accept = (read: () => string) => acceptHash(read, options)
  const source = from === undefined ? undefined : sources[from]
  return (value) => {
    if (!source) {
      const row = prepareUser(check(value), known, options)
      return { ...row, losesSecondFactor: at(fieldsOf(value), 'totp') !== undefined && !row.totp }
    }
    const found = convert(source, value, { firebase, accept })
    if (typeof found === 'string') return found
    const { line, hasFactor, leftOut } = found
    const row = prepareUser(check(line), known, options)
    return { ...row, leftOut, losesSecondFactor: hasFactor && row.totp === undefined }
  }
}

/** Verifies one password, so that wrong parameters show before anything is imported. */
async function probe({ passwords }: Portal, file: string, read: ReadUser, options: ImportOptions) {
  const { probe: email = '', passwordFile } = options
  if (file === '-') throw new UsageError('--probe reads the file twice, so it cannot be stdin.')
  const hash = await findHash(file, read, normalizeEmail(email))
  if (hash === undefined) throw new UsageError(`The file has no user ${email} with a password.`)
  const password = await readPassword(passwordFile, async () => {})
  if (!(await passwords.verify(password, hash))) {
    throw new UsageError(
      `The password of ${email} does not match. Nothing was imported. Check the password, and ` +
        'the parameters of the hashes.'
    )
  }
  say(`the password of ${email} matches`)
}

async function findHash(file: string, read: ReadUser, email: string | undefined) {
  for await (const { value, error } of entriesOf(file)) {
    if (error !== undefined) continue
    try {
      const row = read(value)
      if (typeof row === 'string' || row.user.emailNormalized !== email) continue
      if (row.user.passwordHash) return row.user.passwordHash
    } catch (error) {
      if (!isRefusal(error)) throw error
    }
  }
  return undefined
}
