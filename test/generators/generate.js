import path from 'node:path'

// Generates a client from an API document: node generate.js GENERATOR DOCUMENT FOLDER. The test
// copies it to where the packages of this folder are installed.

const [, , generator, input, folder] = process.argv
const output = path.join(folder, 'generated')

if (generator === 'hey-api') {
  const { createClient } = await import('@hey-api/openapi-ts')
  await createClient({
    input,
    output,
    plugins: [
      '@hey-api/client-fetch',
      '@hey-api/typescript',
      'zod',
      { name: '@hey-api/sdk', validator: true }
    ],
    logs: { level: 'silent' }
  })
} else {
  const { generate } = await import('orval')
  const mutator = {
    path: path.join(folder, 'orval-fetch.ts'),
    name: 'portalFetch',
    extension: '.ts'
  }
  await generate({
    input,
    output: {
      target: path.join(output, 'portal.ts'),
      client: 'fetch',
      override: { mutator }
    }
  })
  await generate({
    input,
    output: {
      target: path.join(output, 'schemas.ts'),
      client: 'zod',
      override: { zod: { generateEachHttpStatus: true } } // otherwise for 200 only
    }
  })
}
