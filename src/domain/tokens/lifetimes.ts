/** Seconds. */
export const hours = (count: number) => count * 3600

/**
 * Seconds for which the links in mails are valid. A link of an invitation to a scope ends with the
 * invitation, and one that restores an account with the deletion. Operators choose for the links
 * that they pass on.
 */
export const linkLifetimes = {
  /** The registration itself ends then, and its link with it. */
  registration: hours(24),
  /** For an account that exists. */
  confirm: hours(24),
  'email-verify': hours(24),
  'email-change': hours(24),
  'factor-enrolment': hours(24),
  recovery: hours(0.5),
  invitation: hours(72),
  'key-revocation': hours(72),
  /** Counted from the change that it reverts. */
  revert: hours(72)
}
