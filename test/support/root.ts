import path from 'node:path'

const here = path.join(import.meta.dirname, '../..')

/** The checkout. Tests name files relative to it, because they run in `built`. */
export const root = path.basename(here) === '.build' ? path.dirname(here) : here

/** The sources as JavaScript, which bin/compile.js keeps up to date. */
export const built = path.join(root, '.build')
