import { capital } from '../../shared/capital.ts'
import type { Schemas } from '../../shared/client.ts'
import { Copy } from '../command-line.tsx'

/** The lines of code that ask for a flag. Their default is what the disabled flag serves. */
export function UseIt({ flag }: { flag: Schemas['Flag'] }) {
  const { key, type, variants, offVariant } = flag
  const call = `flags.get${capital(type)}Value`
  const values = `${JSON.stringify(key)}, ${JSON.stringify(variants[offVariant])}`
  const lines = {
    Browser: `${call}(${values})`,
    ...(type !== 'object' && { React: `useFlag(${values})` }),
    Node: `await ${call}(${values}, { targetingKey: user.id })`
  }
  return (
    <details>
      <summary>Use it</summary>
      <p class="muted">
        <code>flags</code> is <code>OpenFeature.getClient()</code>, and <code>useFlag</code> comes
        from <code>portal-client/react</code>.
        {!flag.public && ' In Node, a flag that is not public needs the session of the user.'}
      </p>
      <ul class="rows">
        {Object.entries(lines).map(([name, line]) => (
          <li key={name}>
            <div>
              <strong>{name}</strong>
              <br />
              <code>{line}</code>
            </div>
            <Copy text={line} what={`line for ${name}`} />
          </li>
        ))}
      </ul>
    </details>
  )
}
