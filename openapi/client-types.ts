import { pathToFileURL } from 'node:url'
import { fileOf } from './documents.ts'

/** The types that the console and the account pages call the portal with, in the checkout. */
export const typesFile = 'openapi/api.d.ts'

const document = fileOf('development')

export async function clientTypes() {
  const { default: openapiTs, astToString } = await import('openapi-typescript')
  const heading = '// Generated from portal.dev.json by npm run generate.'
  return `${heading}\n\n${astToString(await openapiTs(pathToFileURL(document)))}`
}
