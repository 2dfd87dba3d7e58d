/** Purposes of calls that cause mail. A challenge is not accepted for another one. */
export const proofPurposes = [
  'registration',
  'recovery',
  'confirmation',
  'email-change',
  'invitation'
] as const

/** A challenge that anybody can ask for. Nothing is stored before it is solved. */
export interface ProofChallenge {
  /** 16 random bytes in base64url. */
  salt: string
  /** The expected number of hashes. */
  difficulty: number
  /** ISO 8601, by the clock of the database. */
  expiresAt: string
  signature: string
}

/** The header with a solution: the fields of the challenge, and eight numbers. */
export const proofForm =
  /^([\w-]{22});(\d{1,8});([\dT:.-]{23}Z);([\w-]{43});(\d{1,10}(?:,\d{1,10}){7})$/
