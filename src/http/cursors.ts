import { hmac, isEqual } from '../domain/crypto.ts'
import { signingKey, subKey } from '../config/keys.ts'
import type { Key } from '../config/keys.ts'

const macLength = 16

/**
 * Encodes a position in a list as opaque text that is valid for its `scope` only: the list with its
 * filters, its sort key and its reader. Sealed but not encrypted, because it contains only data of
 * the page.
 */
export function sealCursor(keys: readonly Key[], scope: string, position: unknown[]): string {
  const text = JSON.stringify(position)
  return Buffer.concat([mac(signingKey(keys), scope, text), Buffer.from(text)]).toString(
    'base64url'
  )
}

/** Undefined for text that was not sealed in this scope with one of these keys. */
export function openCursor(
  keys: readonly Key[],
  scope: string,
  cursor: string
): unknown[] | undefined {
  const bytes = Buffer.from(cursor, 'base64url')
  const seal = bytes.subarray(0, macLength)
  const text = bytes.subarray(macLength).toString()
  const good = keys.some((key) => isEqual(seal, mac(key, scope, text)))
  return good ? (JSON.parse(text) as unknown[]) : undefined
}

const mac = (key: Key, scope: string, text: string) =>
  hmac('sha256', subKey(key, 'cursor'), JSON.stringify([scope, text])).subarray(0, macLength)
