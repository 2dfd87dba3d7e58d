import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'
import { descriptionLength } from '../../db/schema/roles.ts'
import { mostDetail, problemsOf } from '../domain/vocabulary.ts'
import type { DetailTypes } from '../domain/vocabulary.ts'
import { closed, text } from '../schemas/primitives.ts'
import type { AppDefinition } from './definition.ts'

type Component = TSchema & { $id: string }

const detailText = (description: string) => Type.String({ maxLength: mostDetail, description })
const detailSchemas: Record<keyof DetailTypes, (description: string) => TSchema> = {
  string: detailText,
  number: (description) => Type.Number({ description }),
  boolean: (description) => Type.Boolean({ description }),
  'string[]': (description) =>
    Type.Array(detailText(description), { maxItems: mostDetail, description })
}

/** The components of the API as they are with the words of an app. */
export function withOwnWords(
  components: readonly Component[],
  { actions = {}, targets = [], exports = {}, ...definition }: AppDefinition
): Component[] {
  const inRecords = ({ properties, ...schema }: Component) => ({
    ...schema,
    properties: {
      ...properties,
      targetType: withWords(properties.targetType as TSchema, targets),
      when: Type.Optional(
        text(descriptionLength.max, {
          description: 'When it is recorded; only for actions of the app'
        })
      )
    }
  })
  const changes: Record<string, (schema: Component) => Component> = {
    ProblemCode: (schema) => withWords(schema, Object.keys(problemsOf(definition))),
    ActivityDetails: (schema) => ({
      ...schema,
      properties: {
        ...schema.properties,
        ...Object.fromEntries(
          Object.entries(actions).flatMap(([action, { details = {} }]) =>
            Object.entries(details).map(([name, type]) => [
              name,
              detailSchemas[type](`Detail of ${action}`)
            ])
          )
        )
      }
    }),
    ActivityRecord: inRecords,
    LabelledActivityRecord: inRecords,
    DataExport: (schema) => ({
      ...schema,
      required: [...(schema.required as string[]), 'app'],
      properties: {
        ...schema.properties,
        app: closed(
          Object.fromEntries(Object.keys(exports).map((name) => [name, Type.Unknown()])),
          { description: 'What the app keeps about the user' }
        )
      }
    })
  }
  return components.map((schema) => changes[schema.$id]?.(schema) ?? schema)
}

const withWords = <T extends TSchema>(schema: T, words: readonly string[]): T => ({
  ...schema,
  enum: [...new Set([...(schema.enum as string[]), ...words])]
})
