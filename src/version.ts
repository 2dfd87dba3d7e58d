import { createRequire } from 'node:module'

const { version } = createRequire(import.meta.url)('#package.json') as { version: string }

/** The version of the portal, from package.json. */
export { version }
