// @ts-check
import { createCipheriv, pbkdf2Sync, scryptSync, timingSafeEqual } from 'node:crypto'

// Hashes of other systems: `f1:SCHEME:PARAMETERS:SALT:HASH`. Parameters are numbers with dots
// between them; the work is proportional to the last one. Salt and hash are base64.
// JavaScript, because the threads of hashing.ts run it: see hashing-thread.js.

export const foreignMark = 'f1:'

/** The functions behind schemes that share one. @type {Record<string, string>} */
const functions = { 'scrypt-nfkc': 'scrypt', firebase: 'scrypt' }
/** `Algorithm` of @node-rs/argon2, which types only can name. */
const argon2Kinds = { argon2i: 1, argon2id: 2 }
const mebibyte = 2 ** 20
/** More than the largest scrypt that an import accepts. Node's own limit is 32 MiB. */
const maxmem = 80 * mebibyte

/**
 * The work of computing a foreign hash: hashes of one kind differ only in `amount`, to which their
 * work is proportional. Undefined for other hashes.
 * @param {string} stored
 */
export function foreignWork(stored) {
  if (!stored.startsWith(foreignMark)) return undefined
  const [, scheme = '', parameters = ''] = stored.split(':')
  const [amount, ...fixed] = parameters.split('.').reverse()
  const kind = [functions[scheme] ?? scheme, ...fixed.reverse()].join('.')
  return { kind, amount: Number(amount) }
}

/**
 * @param {string} password as it was typed
 * @param {string} stored
 */
export async function matchesForeign(password, stored) {
  const [, scheme = '', parameters = '', saltText = '', hashText = ''] = stored.split(':')
  const [salt, hash] = [Buffer.from(saltText, 'base64'), Buffer.from(hashText, 'base64')]
  const text = scheme === 'scrypt-nfkc' ? password.normalize('NFKC') : password
  const name = functions[scheme] ?? scheme
  const length = scheme === 'firebase' ? 32 : hash.length
  const key = await derive(name, parameters.split('.').map(Number), { text, salt, length })
  return timingSafeEqual(scheme === 'firebase' ? keystream(key, hash.length) : key, hash)
}

/**
 * Does work of this kind without a result.
 * @param {string} kind
 * @param {number} amount
 */
export async function doForeignWork(kind, amount) {
  const [name = '', ...fixed] = kind.split('.')
  const given = { text: 'no such password', salt: Buffer.alloc(16), length: 32 }
  await derive(name, [...fixed.map(Number), amount], given)
}

/**
 * @param {string} name
 * @param {number[]} parameters
 * @param {{ text: string, salt: Buffer, length: number }} given
 */
async function derive(name, [a = 0, b = 0, c = 0], { text, salt, length }) {
  switch (name) {
    case 'scrypt':
      return scryptSync(text, salt, length, { N: a, r: b, p: c, maxmem })
    case 'argon2i':
    case 'argon2id': {
      // Loaded when the first such hash is met.
      const { hashRawSync } = await import('@node-rs/argon2')
      const costs = { memoryCost: a, parallelism: b, timeCost: c }
      return hashRawSync(text, { ...costs, algorithm: argon2Kinds[name], salt, outputLen: length })
    }
    case 'pbkdf2-sha256':
    case 'pbkdf2-sha512':
      return pbkdf2Sync(text, salt, a, length, name.slice(7))
    default:
      throw new Error('unknown scheme of a hash')
  }
}

/**
 * Firebase encrypts the signer key of the project under the derived key. The import takes the
 * signer key off again: what is left is the keystream, which depends on the derived key alone.
 * @param {Buffer} key
 * @param {number} length
 */
const keystream = (key, length) =>
  createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(length))
