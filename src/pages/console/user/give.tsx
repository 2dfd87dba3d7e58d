import { useState } from 'preact/hooks'
import { ok, portal, savedFrom } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Choice } from '../../shared/controls.tsx'
import { ConfirmButton } from '../action-buttons.tsx'
import { likelyOf, rulesWith } from '../flags/give.ts'
import { Offered } from '../list/offered.tsx'
import { change } from '../shell/status.tsx'
import { shortName } from './short-name.ts'
import type { UserProps } from './short-name.ts'

const path = '/api/admin/flags/{key}'

/** Gives a flag to a user, by a rule above all others. */
export function GiveFlag({ user }: UserProps) {
  const name = shortName(user)
  const give = async ({ flag: key = '', variant: chosen }: Record<string, string>) => {
    const params = { path: { key } }
    const { value: flag, etag } = await savedFrom(portal.GET(path, { params }))
    const variant = chosen ?? likelyOf(flag)
    const set = (rules: Schemas['FlagRule'][], tag: string) =>
      portal.PATCH(path, { params: { ...params, header: { 'if-match': tag } }, body: { rules } })
    const given = set(rulesWith(flag.rules, user.id, variant), etag)
    await change(
      given,
      `${name} gets “${variant}” of ${key}` +
        (flag.state === 'enabled' ? '.' : ' once the flag is enabled.'),
      async () =>
        change(set(flag.rules, (await savedFrom(given)).etag), `${key} is as it was before.`)
    )
  }
  return (
    <ConfirmButton
      label="Give a flag"
      action="Give"
      words={['flag update', 'KEY', ['--file', 'changes.json']]}
      onSubmit={give}
    >
      <FlagFields hint={`A rule above all others serves it to ${name}.`} />
    </ConfirmButton>
  )
}

/** A flag by its key or description, and which of its variants. */
function FlagFields({ hint }: { hint: string }) {
  const [key, setKey] = useState('')
  const [found, setFound] = useState<readonly Schemas['Flag'][]>([])
  const flag = found.find((each) => each.key === key)
  return (
    <>
      <Offered
        label="Flag"
        name="flag"
        hint={hint}
        required
        maxLength={80}
        autofocus
        value={key}
        onValue={setKey}
        look={async (q, signal) => {
          const query = { limit: 20, ...(q !== '' && { q }) }
          const { items } = await ok(portal.GET('/api/admin/flags', { params: { query }, signal }))
          setFound(items)
          return items.map(({ key: text, description }) => ({ text, name: description }))
        }}
      />
      {flag && (
        <Choice
          label="Variant"
          name="variant"
          defaultValue={likelyOf(flag)}
          options={Object.entries(flag.variants).map(([each, value]) => [
            each,
            flag.type === 'object' ? each : `${each}: ${String(value)}`
          ])}
        />
      )}
    </>
  )
}
