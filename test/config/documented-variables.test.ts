import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { defaultBudgets, parseBudget } from '../../src/config/budget-variables.ts'
import { environment } from '../../src/config/variables.ts'
import { root } from '../support/root.ts'

t.test('.env.example names exactly the variables that are read', async (t) => {
  const example = readFileSync(path.join(root, '.env.example'), 'utf8')
  t.same(
    [...example.matchAll(/^#?([A-Z_]+)=/gm)].map((match) => match[1]).sort(),
    Object.keys(environment.properties).sort()
  )
})

t.test('docs/lookup/limits.md and .env.example show the default of each rate limit', async (t) => {
  const [promises = '', example = ''] = ['docs/lookup/limits.md', '.env.example'].map((file) =>
    readFileSync(path.join(root, file), 'utf8')
  )
  for (const [name, text] of Object.entries(defaultBudgets(false))) {
    const { burst, seconds } = parseBudget(text)
    const pace = seconds === 1 ? 'one a second' : `one every ${seconds} s`
    t.ok(example.includes(`\n#${name}=${text}\n`), `.env.example: ${name}`)
    const row = promises.split('\n').find((line) => line.includes(`| \`${name}\` |`))
    t.ok(row?.includes(`| ${burst}, then ${pace}`), `docs/lookup/limits.md: ${name}`)
  }
})
