import type { ComponentChildren } from 'preact'

/** Names and values. Pairs without a value are left out. */
export const Facts = ({ of: pairs }: { of: Record<string, ComponentChildren> }) => (
  <dl class="facts">
    {Object.entries(pairs)
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
