import { readFileSync } from 'node:fs'
import t from 'tap'
import { fileOf, modes } from '../../openapi/documents.ts'
import { documentOf } from '../../src/document.ts'
import { testApp } from '../helpers.ts'

for (const mode of modes) {
  t.test(
    `the committed document of ${mode} matches the routes (npm run openapi updates it)`,
    async (t) => {
      t.equal(readFileSync(fileOf(mode), 'utf8'), await documentOf(mode))
    }
  )

  t.test(`the committed document of ${mode} is served in ${mode}`, async (t) => {
    const app = await testApp(
      t,
      mode === 'production'
        ? { development: false, PUBLIC_ORIGIN: 'https://portal.example.com' }
        : {}
    )
    t.same(
      JSON.parse(readFileSync(fileOf(mode), 'utf8')),
      (await app.inject('/openapi.json')).json()
    )
  })
}
