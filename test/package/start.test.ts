import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { root } from '../support/root.ts'

const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

t.test('systemd, the image and npm start run the server with the same options', async (t) => {
  const [, unit] = /^ExecStart=node (.+)$/m.exec(read('deploy/portal@.service')) ?? []
  const [, image] = /^CMD \["node", (.+)\]$/m.exec(read('Dockerfile')) ?? []
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } }
  t.match(unit, /^--max-semi-space-size=\d+ dist\/src\/server\.js$/)
  t.equal(image?.replaceAll(/[",]/g, ''), unit)
  t.equal(scripts.start, `exec node ${unit}`)
})
