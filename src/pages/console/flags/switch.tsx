import type { Schemas } from '../../shared/client.ts'
import { Change } from '../locked.tsx'
import { report } from '../shell/status.tsx'
import { turnFlag } from './drafts.ts'
import type { Saved } from './drafts.ts'

interface SwitchProps {
  flag: Pick<Schemas['Flag'], 'key' | 'state'>
  onTurned(saved: Saved): unknown
}

/** A button that disables a flag, or enables it, and offers the opposite. */
export function Switch({ flag: { key, state }, onTurned }: SwitchProps) {
  const set = async (state: SwitchProps['flag']['state'], isUndone = false) => {
    await onTurned(await turnFlag(key, state))
    const other = state === 'enabled' ? 'disabled' : 'enabled'
    report(`The flag ${key} is ${state}.`, isUndone ? undefined : () => set(other, true))
  }
  const next = state === 'enabled' ? 'disabled' : 'enabled'
  return (
    <Change
      words={[`flag ${next === 'enabled' ? 'enable' : 'disable'}`, key]}
      label={
        <>
          {next === 'enabled' ? 'Enable' : 'Disable'}
          <span class="unseen"> {key}</span>
        </>
      }
      kind="outline"
      onPress={() => set(next)}
    />
  )
}

/** Whether a flag is on at all, and who may ask for it. */
export const States = ({ flag }: { flag: Pick<Schemas['Flag'], 'state' | 'public'> }) => (
  <>
    {flag.state === 'enabled' ? (
      <span class="chip good">Enabled</span>
    ) : (
      <span class="chip">Disabled</span>
    )}
    {flag.public && <span class="chip">Public</span>}
  </>
)
