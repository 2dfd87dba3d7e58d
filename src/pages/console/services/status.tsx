import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { renew } from '../../shared/load.tsx'
import { Ask } from '../ask.tsx'
import { Change } from '../locked.tsx'
import { report } from '../shell/status.tsx'
import { shortName } from '../user/short-name.ts'

type Service = Schemas['Service']

export const StatusChip = ({ status }: Pick<Service, 'status'>) =>
  status === 'active' ? (
    <span class="chip good">Active</span>
  ) : (
    <span class="chip bad">Deactivated</span>
  )

/** Deactivates a service, or activates it again. */
export function ChangeStatus({ service }: { service: Service }) {
  const { key, status } = service
  const name = shortName(service)
  const set = async (next: typeof status) => {
    const params = { path: { key } }
    await ok(portal.PATCH('/api/admin/services/{key}', { params, body: { status: next } }))
    await renew()
    report(
      next === 'active' ? `The keys of ${name} work again.` : `The keys of ${name} are refused.`,
      () => set(next === 'active' ? 'deactivated' : 'active')
    )
  }
  if (status !== 'active') {
    return (
      <Change
        label="Activate"
        kind="outline"
        words={['service reactivate', key]}
        onPress={() => set('active')}
      />
    )
  }
  return (
    <Ask
      label="Deactivate"
      action={`Deactivate ${name}`}
      words={['service deactivate', key]}
      isDangerous
      isQuiet
      onSubmit={() => set('deactivated')}
    >
      <p>All keys of {name} are refused from the next request on, until it is activated again.</p>
    </Ask>
  )
}
