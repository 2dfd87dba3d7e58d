import t from 'tap'
import { runsOn } from '../../bench/peers.ts'

t.test('a peer that needs another Node is recognized', async (t) => {
  for (const [range, versions] of Object.entries({
    '>=22.13.0': ['22.13.0', '24.0.0'],
    '^20.19.0 || >=22.12': ['20.19.0', '22.13.0', '24.0.0'],
    '20 || 22': ['20.9.0', '20.19.0', '22.2.0', '22.13.0'],
    '>=10': ['20.9.0', '20.19.0', '22.2.0', '22.13.0', '24.0.0'],
    '*': ['20.9.0', '20.19.0', '22.2.0', '22.13.0', '24.0.0']
  })) {
    const all = ['20.9.0', '20.19.0', '22.2.0', '22.13.0', '24.0.0']
    t.same(
      all.filter((node) => runsOn(node, range)),
      versions,
      range
    )
  }
})
