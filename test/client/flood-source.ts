import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { ProofChallenge } from '../../src/problems/challenges.ts'
import { solve } from '../support/proofs.ts'

// A script that registers strangers: each call from another address, for another mailbox. It runs in
// a thread of its own, of the lowest priority on Linux: a real one has a machine of its own, and
// takes no processor from the portal.
if (process.platform === 'linux') setPriority(19)

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
  const send = (proof = {}) =>
    fetch(`${base}/api/auth/register`, { method: 'POST', headers: { ...headers, ...proof }, body })
  const first = await send()
  const { challenge } = (await first.json()) as { challenge?: ProofChallenge }
  if (!challenge || !solves) return first.status
  return (await send({ 'portal-proof': solve(challenge) })).status
}

parentPort?.on('message', (numbers: number[]) => {
  // Connections that were idle while this thread searched may be closed.
  const all = numbers.map((n) => register(n).catch(() => undefined))
  Promise.all(all).then(
    (statuses) => parentPort?.postMessage(statuses),
    () => {} // none of them fails
  )
})
