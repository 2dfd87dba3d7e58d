import { parentPort, workerData } from 'node:worker_threads'
import type { ProofChallenge } from '../../src/problems/challenges.ts'
import { solve } from '../support/proofs.ts'

// A script that registers strangers: each call from another address, for another mailbox. It runs in
// a thread of its own, to have a core.

const { base, solves } = workerData as { base: string; solves: boolean }

async function register(n: number) {
  const body = JSON.stringify({
    email: `stranger-${n}@foreign.example`,
    password: 'correct horse battery',
    name: 'A Stranger'
  })
  const headers = {
    'content-type': 'application/json',
    'x-forwarded-for': `198.18.${n >> 8}.${n & 255}`
  }
  const url = `${base}/api/auth/register`
  const first = await fetch(url, { method: 'POST', headers, body })
  const { challenge } = (await first.json()) as { challenge?: ProofChallenge }
  if (!challenge || !solves) return first.status
  const proved = { ...headers, 'portal-proof': solve(challenge) }
  return (await fetch(url, { method: 'POST', headers: proved, body })).status
}

parentPort?.on('message', (numbers: number[]) => {
  Promise.all(numbers.map(register)).then(
    (statuses) => parentPort?.postMessage(statuses),
    (error: unknown) => {
      throw error
    }
  )
})
