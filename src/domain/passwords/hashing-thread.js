// @ts-check
import { setPriority } from 'node:os'
import { hashSync } from '@node-rs/bcrypt'
import { compare } from './comparison.js'

// Runs in the threads of hashing.ts. JavaScript, because a thread has no loader for TypeScript in
// development. It has a low priority so that requests come first, but only on Linux: elsewhere the
// priority applies to the whole process. The priority is not lower, because it also counts against
// other programs: beside eight busy ones on two cores a hash takes 3 s, and would take 9 s at 10.
if (process.platform === 'linux') setPriority(5)

/** @param {{ password: string, cost: number }} task */
export const hash = ({ password, cost }) => hashSync(password, cost)

/** @param {Parameters<typeof compare>[0]} task */
export const verify = (task) => compare(task)
