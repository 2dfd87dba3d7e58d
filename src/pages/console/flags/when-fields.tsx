import type { ComponentChildren } from 'preact'
import { scalarPaths } from '../../../common/settings.ts'
import { Area, Choice, Field } from '../../shared/controls.tsx'
import { Action } from '../../shared/form.tsx'
import { named } from '../action-buttons.tsx'
import { Chips, KeyChips, People } from '../list/chips.tsx'
import { keepsSettings, useSettingsSchema } from '../settings.ts'
import { at, useFocus } from './fields.tsx'
import { changed, newId, removed } from './form.ts'
import { operators } from './when-form.ts'
import type { Condition, ConditionForm, ConditionPart, WhenForm } from './when-form.ts'

interface WhenFieldsProps {
  place: string
  when: WhenForm
  /** @param inner what has changed, within the place */
  onChange(inner: string, changes: Partial<WhenForm>): void
  /** Whether it can name segments, which cannot name others. */
  hasSegments?: boolean
  /** Other fields. */
  children?: ComponentChildren
}

/** Fields for whom something applies to. */
export function WhenFields(props: WhenFieldsProps) {
  const { place, when, onChange, hasSegments = false, children } = props
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
        <KeyChips
          kind="roles"
          label="Roles"
          place={`${place}/roles`}
          values={when.roles}
          onValues={(roles) => onChange('/roles', { roles })}
        />
        <People
          label="People"
          place={`${place}/users`}
          hint="Name, address or id; or the targeting key that an app sends."
          values={when.users}
          onValues={(users) => onChange('/users', { users })}
        />
        {hasSegments && (
          <KeyChips
            kind="segments"
            label="Segments"
            place={`${place}/segments`}
            values={when.segments}
            onValues={(segments) => onChange('/segments', { segments })}
          />
        )}
        <Chips
          label="Scopes"
          place={`${place}/scopes`}
          hint="Scopes in which the user has a role, such as org:1. The app asks for one of them."
          values={when.scopes}
          onValues={(scopes) => onChange('/scopes', { scopes })}
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
function OnSettings(conditions: ConditionsProps) {
  const { value } = useSettingsSchema()
  return <Conditions {...conditions} names={value ? scalarPaths(value.app) : []} />
}

const texts = {
  attributes: {
    legend: 'Attributes',
    about: 'What apps send about a user: their country, for example.',
    adding: 'Add an attribute',
    most: 80
  },
  appSettings: {
    legend: 'App settings',
    about: 'What services store for a user: their plan, for example.',
    adding: 'Add an app setting',
    most: 200
  }
}

interface ConditionsProps {
  place: string
  part: ConditionPart
  /** To offer. */
  names?: readonly string[]
  conditions: readonly ConditionForm[]
  /** @param inner which of them has changed */
  onChange(inner: string, conditions: ConditionForm[]): void
}

/** Conditions on one kind of values, all of which must hold. */
function Conditions({ place, part, names = [], conditions, onChange }: ConditionsProps) {
  const focus = useFocus()
  const add = `${place}/add-${part}`
  const { legend, about, adding, most } = texts[part]
  const list = `${add}-names`
  const addCondition = () => {
    const id = newId()
    onChange('', [...conditions, { id, name: '', op: 'in', values: '' }])
    focus(`${place}/${part}/${id}/name`)
  }
  return (
    <fieldset>
      <legend>{legend}</legend>
      <p class="muted">{about}</p>
      <datalist id={list}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {conditions.map(({ id, name, op, values }) => {
        const inner = `/${part}/${id}`
        const change = (changes: Partial<ConditionForm>) =>
          onChange(`/${id}`, changed(conditions, id, changes))
        return (
          <div key={id} class="row">
            <Field
              label="Name"
              {...at(`${place}${inner}/name`)}
              value={name}
              maxLength={most}
              list={list}
              onValue={(name) => change({ name })}
            />
            <Choice
              label="Condition"
              {...at(`${place}${inner}/op`)}
              value={op}
              options={Object.entries(operators)}
              onValue={(op) => change({ op: op as Condition['op'] })}
            />
            <div class="wide">
              <Area
                label="Values"
                {...at(place + inner)}
                hint={'One per line. Write "42" for text that looks like a number.'}
                spellcheck={false}
                value={values}
                onValue={(values) => change({ values })}
              />
            </div>
            <Action
              label={named('Remove', `the condition on ${name}`)}
              kind="outline"
              onPress={() => {
                onChange(`/${id}`, removed(conditions, id))
                focus(add)
              }}
            />
          </div>
        )
      })}
      <Action id={add} label={adding} kind="outline" onPress={addCondition} />
    </fieldset>
  )
}
