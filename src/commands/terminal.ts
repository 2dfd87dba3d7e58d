import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import type { Static, TSchema } from '@sinclair/typebox'
import { uuidForm } from '../../db/schema/columns.ts'
import { DomainError, invalidFields } from '../domain/errors.ts'
import { explainViolations } from '../http/field-errors.ts'
import { components } from '../schemas/components.ts'
import { decodeText, readText, UnreadableText } from '../domain/text-files.ts'
import { explain, UsageError } from './errors.ts'

// The prompts are loaded when they are shown: most commands ask nothing.

/**
 * Reads a password from `file` (`-` is stdin) or from a prompt that does not show it. Never from an
 * argument, because other users of the machine can see arguments.
 * @param check throws when the password is not acceptable; a prompt then asks again
 */
export async function readPassword(
  file: string | undefined,
  check: (password: string) => Promise<void>
) {
  const given = await givenPassword(file)
  if (given !== undefined) {
    await check(given)
    return given
  }
  const refusalOf = (typed: string) =>
    check(typed).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof DomainError) return error
        throw error
      }
    )
  const { default: password } = await import('@inquirer/password')
  const ask = () => password({ message: 'Password' }, { output: process.stderr })
  let typed = await ask()
  for (let error = await refusalOf(typed); error; error = await refusalOf(typed)) {
    process.stderr.write(`${explain(error).message}\n`)
    typed = await ask()
  }
  const again = await password({ message: 'Repeat the password' }, { output: process.stderr })
  if (typed !== again) throw new UsageError('The two passwords differ.')
  return typed
}

async function givenPassword(file: string | undefined) {
  if (file !== undefined) return (await readInput(file)).split(/\r?\n/, 1)[0] ?? ''
  if (process.stdin.isTTY) return undefined
  throw new UsageError(
    'There is no terminal to ask for a password. Use --password-file FILE, or - for stdin.'
  )
}

/** Asks for confirmation before data is lost. Without a terminal, --yes is required. */
export async function requireConfirmation(what: string, yes: boolean | undefined) {
  if (yes) return
  if (!process.stdin.isTTY) {
    throw new UsageError(`${what} There is no terminal to ask for confirmation: add --yes.`)
  }
  const { default: confirm } = await import('@inquirer/confirm')
  if (
    !(await confirm({ message: `${what} Continue?`, default: false }, { output: process.stderr }))
  ) {
    throw new UsageError('Nothing was changed.')
  }
}

/** The text of a file, or of stdin for `-`. Throws a UsageError when it is not text in UTF-8. */
export async function readInput(file: string): Promise<string> {
  try {
    return file === '-' ? decodeText(await buffer(process.stdin)) : readText(file)
  } catch (error) {
    throw unreadable(file, error)
  }
}

/** Names the file in the error of one that is not text in UTF-8. Other errors stay as they are. */
export const unreadable = (file: string, error: unknown) =>
  error instanceof UnreadableText
    ? new UsageError(`${file === '-' ? 'The input' : `The file ${file}`} ${error.message}.`)
    : error

/** A file, or stdin for `-`. Throws a UsageError when the file cannot be read. */
export async function openInput(file: string) {
  // An empty pipe may have ended by now: it would never be readable.
  if (file === '-') return process.stdin
  const input = createReadStream(file)
  await once(input, 'readable').catch(() => {
    throw new UsageError(`The file ${file} cannot be read.`)
  })
  return input
}

/**
 * Validates input against a schema of the admin API. The returned function throws the API's
 * refusal.
 */
export async function checker<T extends TSchema>(
  schema: T
): Promise<(value: unknown) => Static<T>> {
  // Slow to load, so only commands with input load it.
  const { compileBody } = await import('../http/validation.ts')
  const validate = compileBody(schema, components)
  return (value) => {
    if (!validate(value)) throw invalidFields(...explainViolations(validate.errors ?? []))
    return value as Static<T>
  }
}

/** Validates arguments and options; options that were not given are left out. */
export async function checked<T extends TSchema>(schema: T, given: object): Promise<Static<T>> {
  return (await checker(schema))(
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  )
}

/** @param command lists the ids */
export function requireId(id: string, what: string, command: string) {
  if (uuidForm.test(id)) return
  throw new UsageError(
    `${what} looks like 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e. Run ${command} to find it.`
  )
}

/** Reads a file, or stdin for `-`, and validates it. */
export const readChecked = async <T extends TSchema>(schema: T, file: string) =>
  (await checker(schema))(await readJson(file))

export const readJson = async (file: string) => parseJson(await readInput(file))

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError('The input is not valid JSON.')
  }
}
