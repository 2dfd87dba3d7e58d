import type { FactorMethod } from '../../../db/schema/second-factors.ts'

/** A link with a one-time token. */
export interface Link {
  token: string
  /** ISO 8601. */
  expiresAt: string
}

/** When something happened, and from where. Unknown facts are left out of the mail. */
export interface NoticeFacts {
  /** ISO 8601. */
  at: string
  ip?: string | null
  userAgent?: string | null
}

/** The method with which a session began. */
export type SignInMethod = 'password' | 'passkey' | 'provider'
/** By which its owner recognizes an API key. */
export interface KeyName {
  name: string
  lastFour: string
}

/** A mail of the outbox before it is written out: plain JSON. */
export type StoredContent =
  | ({
      kind: 'invitation' | 'recovery' | 'email-change' | 'email-verify' | 'factor-enrolment'
    } & Link)
  /** `provider`: the key of the one that completes the registration, instead of the password. */
  | ({ kind: 'confirm'; provider?: string } & Link)
  /** The link restores the address. After a change by an operator there is none. */
  | ({ kind: 'email-changed' } & Partial<Link> & NoticeFacts)
  | ({
      kind:
        | 'account-deleted'
        | 'export-made'
        | 'second-factor-required'
        | 'second-factor-guessed'
        | 'recovery-codes-renewed'
        | 'sign-in-unfinished'
        | 'passkey-copied'
    } & NoticeFacts)
  /** With what somebody signed in, and the name of the provider. */
  | ({ kind: 'new-device'; method?: SignInMethod; provider?: string } & NoticeFacts)
  /** `keys`: how many API keys have lost the roles that require a second factor. */
  | ({ kind: 'second-factor-removed' | 'passkey-removed'; keys?: number } & NoticeFacts)
  /** The link restores the account until it expires, which is when the account is deleted. */
  | ({ kind: 'deletion-planned' } & Link & NoticeFacts)
  /** `last-admin`: the portal did not delete its last administrator. */
  | ({ kind: 'deletion-cancelled'; reason?: 'last-admin' } & NoticeFacts)
  /** `provider`: its name. */
  | ({ kind: 'provider-unlinked'; provider: string } & NoticeFacts)
  | ({ kind: 'provider-linked'; provider: string } & Partial<Link> & NoticeFacts)
  /**
   * The link removes the factor. There is none if adding it took two factors. `keys`: how many API
   * keys of the time before the first factor have ended.
   */
  | ({ kind: 'second-factor-added' | 'passkey-added'; keys?: number } & Partial<Link> & NoticeFacts)
  /**
   * Second factors that were removed with the old password, and those that are left; and the names
   * of providers at which accounts were unlinked, and still are linked. The link removes what the
   * password alone has added of late.
   */
  | ({
      kind: 'password-changed'
      removed?: FactorMethod[]
      unlinked?: string[]
      left?: FactorMethod[]
      linked?: string[]
      /** Number of API keys that go on after a signed-in user has changed it. */
      keys?: number
      /** After a link: how many API keys ended, those that go on, and a link that ends them. */
      keysEnded?: number
      keysLeft?: KeyName[]
      keysLink?: Link
    } & Partial<Link> &
      NoticeFacts)
  | ({ kind: 'key-created' } & KeyName & NoticeFacts)
  /** To administrators if it is the key of a service. */
  | ({ kind: 'key-expiring'; service?: string; expiresAt: string } & KeyName)
  /** Somebody registered with an address that is reserved for its former account. */
  | { kind: 'address-kept'; until: string }
  /** `left`: how many codes the user has now. */
  | ({ kind: 'recovery-code-used'; left: number } & NoticeFacts)
  | { kind: 'already-registered' }

/** A test mail is sent at once. */
export type MailContent = StoredContent | { kind: 'test' }

export type MailKind = MailContent['kind']

/** The reader of a mail. Every field may be unknown. */
export interface Reader {
  name?: string | null
  /** Language tag (BCP 47). */
  locale?: string | null
  /** Name in the IANA database. */
  timeZone?: string | null
}
