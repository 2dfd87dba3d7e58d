// Not on PGlite: it uses no database.

import { mock } from 'node:test'
import t from 'tap'
import { createConsoleTimeout } from '../../src/commands/console-output.ts'

const [minute, hour] = [60_000, 3_600_000]

t.test('a console ends after 8 hours, however busy it is', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const { ended, end, seen } = createConsoleTimeout({ idle: 30 * minute, longest: 8 * hour })
  for (let passed = 0; passed < 8 * hour; passed += 20 * minute) {
    seen()
    mock.timers.tick(20 * minute)
  }
  end('another reason')
  t.equal(await ended, 'it has run for 8 hours')
})

t.test('a console ends when nobody has used it for the idle time', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const { ended, end, seen } = createConsoleTimeout({ idle: 30 * minute, longest: 8 * hour })
  mock.timers.tick(29 * minute)
  seen()
  mock.timers.tick(29 * minute)
  let isOver = false
  ended.then(() => {
    isOver = true
  }, t.threw)
  await Promise.resolve()
  t.notOk(isOver)
  mock.timers.tick(minute)
  end('another reason')
  t.equal(await ended, 'no request for 30 minutes')
})
