import type { CommandLine } from '../domain/actor.ts'
import { isEqual, randomText, sha256 } from '../domain/crypto.ts'

/** The person in front of `portal console`, and what the page may do for them. */
export interface Operator {
  /** With the name of the user of the operating system. */
  actor: CommandLine & { label: string }
  canWrite: boolean
  access: ConsoleAccess
  /** The database without its credentials, and the machine of the console, for the page. */
  database: string
  machine: string
  /** Called for each request of the operator. */
  onSeen(): void
  /** Called with the User-Agent that has used a link. */
  onConnected(userAgent: string | undefined): void
  /** Called after a request that may have changed something. */
  onChange(requestId: string): void
  /** Ends the console, after the response to the current request. */
  end(): void
}

type ConsoleAccess = ReturnType<typeof createConsoleAccess>

/** More wrong links than this are not the mistakes of a person. */
const maxWrongLinks = 10

/**
 * The link that opens the console, and the token of the page that it was exchanged for. Both have
 * 256 random bits, and only their hashes are in memory. There is one of each at a time.
 * @param onGuessing called with the tenth wrong link
 */
export function createConsoleAccess(onGuessing: () => void) {
  let link: Buffer | undefined
  let token: Buffer | undefined
  let wrong = 0

  const isSame = (hash: Buffer | undefined, text: string) =>
    hash !== undefined && isEqual(hash, sha256(text))
  return {
    /** A new secret for a link. The previous one is no longer valid. */
    issueLink() {
      const secret = randomText()
      link = sha256(secret)
      return secret
    },
    /** Exchanges the secret of a link for a token, once. The previous token is no longer valid. */
    redeem(secret: string): string | undefined {
      if (!isSame(link, secret)) {
        wrong += 1
        if (wrong === maxWrongLinks) onGuessing()
        return undefined
      }
      link = undefined
      const created = randomText()
      token = sha256(created)
      return created
    },
    /** Whether this is the token of the page. */
    isToken: (text: string) => isSame(token, text)
  }
}
