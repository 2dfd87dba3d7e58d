import { readdirSync } from 'node:fs'
import path from 'node:path'
import Fastify from 'fastify'
import type { FastifyPluginAsync } from 'fastify'
import t from 'tap'
import { testDatabase } from '../support/app.ts'
import { testConfig } from '../support/test-config.ts'

const meta = Symbol.for('plugin-meta')
interface Meta {
  name: string
  dependencies?: string[]
}
type Plugin = FastifyPluginAsync<object> & { [meta]: Meta }

const folder = path.join(import.meta.dirname, '../../plugins')
const plugins = new Map<string, Plugin>()
for (const file of readdirSync(folder)) {
  const { default: plugin } = (await import(path.join(folder, file))) as { default: Plugin }
  plugins.set(path.parse(file).name, plugin)
}

/** The plugin after all of its declared dependencies and theirs. */
function withDependencies(name: string, order = new Set<string>()): Set<string> {
  for (const dependency of plugins.get(name)?.[meta].dependencies ?? []) {
    withDependencies(dependency, order)
  }
  return order.add(name)
}

const database = await testDatabase(t)
const options = { config: testConfig(), database: { ...database, close: async () => {} } }

for (const [name, plugin] of plugins) {
  t.test(
    `the plugin ${name} is named like its file and boots with its declared dependencies only`,
    async (t) => {
      t.equal(plugin[meta].name, name)
      const app = Fastify()
      for (const each of withDependencies(name)) app.register(plugins.get(each) as Plugin, options)
      await t.resolves(async () => {
        await app.ready()
      })
      await app.close()
    }
  )
}
