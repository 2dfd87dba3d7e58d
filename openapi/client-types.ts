import { documentOf } from '../src/document.ts'

/** The types that the console and the account pages call the portal with, in the checkout. */
export const typesFile = 'openapi/api.d.ts'

interface Document {
  paths: Record<string, object>
  components: { schemas: Record<string, object>; responses: Record<string, object> }
}

/**
 * The document of development, with the operations that only the console of an operator has.
 */
async function merged(): Promise<Document> {
  const [console, development] = [await documentOf('console'), await documentOf('development')].map(
    (text) => JSON.parse(text) as Document
  )
  if (!console || !development) throw new Error('there are two documents')
  const { schemas, responses } = development.components
  return {
    ...development,
    paths: completed(development.paths, console.paths),
    components: {
      ...development.components,
      schemas: completed(schemas, console.components.schemas),
      responses: completed(responses, console.components.responses)
    }
  }
}

/** With those that it does not have, at the end. */
const completed = (own: Record<string, object>, others: Record<string, object>) => ({
  ...own,
  ...Object.fromEntries(Object.entries(others).filter(([name]) => !(name in own)))
})

export async function clientTypes() {
  const { default: openapiTs, astToString } = await import('openapi-typescript')
  const heading =
    '// Generated from portal.dev.json, and the operations of portal console, by npm run generate.'
  return `${heading}\n\n${astToString(await openapiTs(JSON.stringify(await merged())))}`
}
