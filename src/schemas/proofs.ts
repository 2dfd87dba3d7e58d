import { Type } from '@sinclair/typebox'
import { proofForm, proofPurposes } from '../problems/challenges.ts'
import { closed, integer, oneOf, ref, Timestamp } from './primitives.ts'
import { field } from './users.ts'

const random = (length: number, description: string) =>
  Type.String({ pattern: `^[A-Za-z0-9_-]{${length}}$`, description })

export const ProofChallenge = closed(
  {
    salt: random(22, '16 random bytes in base64url'),
    difficulty: integer(1, 2 ** 26, 'Expected number of hashes for all eight numbers'),
    expiresAt: Timestamp('When the challenge is no longer accepted'),
    signature: random(43, 'What the portal recognizes it by')
  },
  {
    $id: 'ProofChallenge',
    description:
      'Find eight numbers below 2^32, for each of which SHA-256 of the salt and the number (four ' +
      'bytes, big-endian) begins with four bytes below 2^35 / `difficulty`'
  }
)

export const ChallengeRequest = closed(
  {
    purpose: oneOf(proofPurposes, { description: 'For which call the solution is' }),
    email: field.email
  },
  { $id: 'ChallengeRequest', description: 'The address to which a call would cause mail' }
)

export const ChallengeIfNeeded = closed(
  { challenge: Type.Union([ref(ProofChallenge), Type.Null()]) },
  { $id: 'ChallengeIfNeeded', description: 'A challenge, or null while none is needed' }
)

/** For routes that cause mail to addresses of strangers. */
export const proofHeader = Type.Object({
  'portal-proof': Type.Optional(
    Type.String({
      maxLength: 250,
      pattern: proofForm.source.replaceAll(/\((?!\?)/g, '(?:'),
      description:
        'Solution of a challenge: salt, difficulty, expiresAt, signature and the eight numbers, ' +
        'separated by semicolons, and the numbers by commas'
    })
  )
})
