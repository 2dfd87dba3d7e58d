// Libraries that evaluate flags in process, each as its documentation says for a server. Their
// flags are those of the portal: nine rules, each of them on for some values of an attribute, then
// a split in halves.
import { GrowthBookClient } from '@growthbook/growthbook'
import { FlagdCore } from '@openfeature/flagd-core'
import { InMemStorageProvider, startUnleash } from 'unleash-client'

/** Each takes flags (`key` and `rules` of an attribute and values) and returns how it evaluates. */
export const engines = {
  '@openfeature/flagd-core'(flags) {
    const core = new FlagdCore()
    const named = { id: 'targetingKey', country: 'country' }
    const test = ([name, values]) =>
      name === 'roles'
        ? { some: [{ var: 'roles' }, { in: [{ var: '' }, values] }] }
        : { in: [{ var: named[name] }, values] }
    const targeting = (rules) => ({
      if: [
        ...rules.flatMap((rule) => [test(rule), 'on']),
        {
          fractional: [
            ['on', 50],
            ['off', 50]
          ]
        }
      ]
    })
    const all = flags.map(({ key, rules }) => [
      key,
      {
        state: 'ENABLED',
        variants: { on: true, off: false },
        defaultVariant: 'off',
        targeting: targeting(rules)
      }
    ])
    core.setConfigurations(JSON.stringify({ flags: Object.fromEntries(all) }))
    return ({ id, country, roles }) => core.resolveAll({ targetingKey: id, country, roles })
  },

  '@growthbook/growthbook'(flags) {
    const features = flags.map(({ key, rules }) => [
      key,
      {
        defaultValue: false,
        rules: [
          ...rules.map(([name, values]) => ({
            condition: { [name]: { $in: values } },
            force: true
          })),
          { coverage: 0.5, hashAttribute: 'id', hashVersion: 2, force: true }
        ]
      }
    ])
    const client = new GrowthBookClient().initSync({
      payload: { features: Object.fromEntries(features) }
    })
    return (attributes) => {
      const scoped = client.createScopedInstance({ attributes })
      return flags.map(({ key }) => ({ key, value: scoped.isOn(key) }))
    }
  },

  /** Its attributes are texts, so a caller has one role. */
  async 'unleash-client'(flags) {
    const named = { id: 'userId', country: 'country', roles: 'role' }
    const data = flags.map(({ key, rules }) => ({
      name: key,
      enabled: true,
      strategies: [
        ...rules.map(([name, values]) => ({
          name: 'default',
          parameters: {},
          constraints: [{ contextName: named[name], operator: 'IN', values }]
        })),
        {
          name: 'flexibleRollout',
          parameters: { rollout: '50', stickiness: 'userId', groupId: key },
          constraints: []
        }
      ]
    }))
    const unleash = await startUnleash({
      url: 'http://127.0.0.1:9/',
      appName: 'bench',
      bootstrap: { data },
      storageProvider: new InMemStorageProvider(),
      refreshInterval: 0,
      disableMetrics: true
    })
    return ({ id, country, roles: [role] }) => {
      const context = { userId: id, properties: { country, role } }
      return flags.map(({ key }) => ({ key, value: unleash.isEnabled(key, context) }))
    }
  }
}
