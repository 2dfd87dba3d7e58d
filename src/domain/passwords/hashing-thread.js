// @ts-check
import { setPriority } from 'node:os'
import { hashSync } from '@node-rs/bcrypt'
import { compare } from './comparison.js'

// What a thread of hashing.ts runs. JavaScript, because a thread has no loader for TypeScript before there is a build.
// It gives way to what answers requests; elsewhere than on Linux a priority is the whole process's, and left alone.
if (process.platform === 'linux') setPriority(10)

/** @param {{ password: string, cost: number }} task */
export const hash = ({ password, cost }) => hashSync(password, cost)

/** @param {{ password: string, hash: string, cost: number }} task */
export const verify = (task) => compare(task)
