import type { ComponentChildren, ComponentProps } from 'preact'
import { scalarPaths } from '../../../domain/settings/schema.ts'
import { Area } from '../../shared/controls.tsx'
import { keepsSettings, useSettingsSchema } from '../settings.ts'
import { Conditions } from './conditions.tsx'
import { at } from './fields.tsx'
import type { ConditionForm, ConditionPart, WhenForm } from './when-form.ts'

const ofKeys =
  'Ids of users, as on their pages, or the targeting keys that an app sends. One per line.'

interface WhenFieldsProps {
  place: string
  when: WhenForm
  /** @param inner what has changed, within the place */
  onChange(inner: string, changes: Partial<WhenForm>): void
  /** Other fields. */
  children?: ComponentChildren
}

/** Fields for whom something applies to. */
export function WhenFields({ place, when, onChange, children }: WhenFieldsProps) {
  const conditionsOf = (part: ConditionPart) => ({
    place,
    part,
    conditions: when[part],
    onChange: (inner: string, conditions: ConditionForm[]) =>
      onChange(`/${part}${inner}`, { [part]: conditions })
  })
  return (
    <>
      <p class="muted">
        Users must match every field. In a field, one value is enough. Empty fields do not count.
      </p>
      <div class="grid">
        <Area
          label="Roles"
          {...at(`${place}/roles`)}
          hint="Keys of roles. One per line."
          spellcheck={false}
          value={when.roles}
          onValue={(roles) => onChange('/roles', { roles })}
        />
        <Area
          label="Targeting keys"
          {...at(`${place}/users`)}
          hint={ofKeys}
          spellcheck={false}
          value={when.users}
          onValue={(users) => onChange('/users', { users })}
        />
      </div>
      {children}
      <Conditions {...conditionsOf('attributes')} />
      {keepsSettings() ? (
        <OnSettings {...conditionsOf('appSettings')} />
      ) : (
        when.appSettings.length > 0 && <Conditions {...conditionsOf('appSettings')} />
      )}
    </>
  )
}

/** Offers the paths of the schema. */
function OnSettings(conditions: ComponentProps<typeof Conditions>) {
  const { value } = useSettingsSchema()
  return <Conditions {...conditions} names={value ? scalarPaths(value.app) : []} />
}
