import { capital } from '../../shared/capital.ts'
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
  const turn = async (next: typeof state, isUndone = false) => {
    await onTurned(await turnFlag(key, next))
    report(`The flag ${key} is ${next}.`, isUndone ? undefined : () => turn(state, true))
  }
  const [next, action] =
    state === 'enabled' ? (['disabled', 'disable'] as const) : (['enabled', 'enable'] as const)
  return (
    <Change
      words={[`flag ${action}`, key]}
      label={
        <>
          {capital(action)}
          <span class="unseen"> {key}</span>
        </>
      }
      kind="outline"
      onPress={() => turn(next)}
    />
  )
}

export const State = ({ of: { state } }: { of: Pick<Schemas['Flag'], 'state'> }) =>
  state === 'enabled' ? <span class="chip good">Enabled</span> : <span class="chip">Disabled</span>
