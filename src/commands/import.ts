import { Option } from 'commander'
import type { Command } from 'commander'
import { loadProviders, loadSettingsConfig } from '../config/config.ts'
import { readRoleIds } from '../domain/administration/import.ts'
import { acceptHash, prepareUser } from '../domain/administration/import-lines.ts'
import type { ImportChoice, Known } from '../domain/administration/import-lines.ts'
import { normalizeEmail } from '../domain/users/emails.ts'
import { TransferredUser } from '../schemas/transfer.ts'
import { UsageError } from './errors.ts'
import { exitCodes } from './exit-codes.ts'
import { addFlagImport } from './flag-transfer.ts'
import { importFile, isRefusal, linesOf } from './import-file.ts'
import type { ReadLine } from './import-file.ts'
import { checker, parseJson } from './input.ts'
import { firebaseParameters, hasSecondFactor } from './import-secrets.ts'
import { sources } from './import-sources.ts'
import { asData, example } from './options.ts'
import { printJson, say } from './output.ts'
import { withPortal } from './portal.ts'
import type { Portal } from './portal.ts'
import { settingsOf } from './settings.ts'
import { readInput, readPassword } from './terminal.ts'

type ImportOptions = ImportChoice & {
  dryRun?: true
  from?: string
  firebaseParameters?: string
  mapping?: string
  probe?: string
  passwordFile?: string
}

export function addImportCommand(program: Command) {
  const imports = program.command('import').description('import data')
  example(imports, 'portal import users users.ndjson', 'portal import flags flags.json')
  addFlagImport(imports)
  example(
    asData(
      imports
        .command('users')
        .description(
          'import users from NDJSON, one per line; registered e-mail addresses are skipped'
        )
        .argument('<file>', 'file to read; - for stdin')
    )
      .option('--dry-run', 'report what would happen without changing anything')
      .addOption(
        new Option('--from <system>', 'the lines are an export of this system').choices(
          Object.keys(sources)
        )
      )
      .option('--firebase-parameters <file>', 'password hash parameters of a Firebase project')
      .option('--probe <email>', 'first ask for the password of this user, and verify it')
      .option('--password-file <file>', 'read that password from a file; - for stdin')
      .option('--no-passwords', 'import users without their passwords')
      .option('--drop-unsafe-hashes', 'import a user without a password whose hash is not safe')
      .option('--no-providers', 'import users without their accounts at providers')
      .option('--with-totp', 'import the secrets of one-time codes as well')
      .addOption(
        new Option(
          '--mapping <file>',
          'write the id in the other system and the id here'
        ).conflicts('dryRun')
      ),
    'portal import users users.ndjson',
    'portal import users users.ndjson --dry-run',
    'portal import users users.ndjson --from keycloak --probe ada@example.com --mapping ids.ndjson'
  ).action(async (file: string, { json, ...options }: ImportOptions & { json?: true }) =>
    withPortal(async (portal) => {
      const { dryRun, mapping } = options
      const known = {
        roles: await readRoleIds(portal.db),
        providerOf: providerKeys(),
        settings: await settingsOf(portal.config)
      }
      const read = await lineReader(known, options)
      if (options.probe !== undefined) await probe(portal, file, read, options)
      const total = await importFile(portal, file, {
        read,
        roles: known.roles,
        dryRun,
        mapping
      })
      const { created, skipped, unproved, bad, secondFactorsLeftOut } = total
      say(
        `${dryRun ? 'would import' : 'imported'} ${created}, skipped ${skipped} existing` +
          `${unproved > 0 ? ` and ${unproved} with an unconfirmed address` : ''}, rejected ${bad}`
      )
      if (secondFactorsLeftOut > 0) say(leftOutWords(secondFactorsLeftOut, options))
      if (json) await printJson(total)
      if (bad + unproved > 0) process.exitCode = exitCodes.failed
    }, loadSettingsConfig)
  )
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

/** Reads PROVIDERS when the first line has an account at one. */
function providerKeys(): Known['providerOf'] {
  let keys: Map<string, string> | undefined
  return (issuer) => {
    keys ??= new Map(loadProviders().map((provider) => [provider.issuer, provider.key]))
    return keys.get(issuer)
  }
}

async function lineReader(known: Known, options: ImportOptions): Promise<ReadLine> {
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
  return (text) => {
    const given = parseJson(text)
    const fields = typeof given === 'object' && given ? { ...given } : {}
    const line = source ? source(fields, { firebase, accept }) : given
    const row = prepareUser(check(line), known, options)
    return { ...row, losesSecondFactor: hasSecondFactor(fields) && row.totp === undefined }
  }
}

/** Verifies one password, so that wrong parameters show before anything is imported. */
async function probe({ passwords }: Portal, file: string, read: ReadLine, options: ImportOptions) {
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

async function findHash(file: string, read: ReadLine, email: string | undefined) {
  for await (const { text } of linesOf(file)) {
    try {
      const { user } = read(text)
      if (user.emailNormalized === email && user.passwordHash) return user.passwordHash
    } catch (error) {
      if (!isRefusal(error)) throw error
    }
  }
  return undefined
}
