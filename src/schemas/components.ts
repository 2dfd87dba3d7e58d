import type { TSchema } from '@sinclair/typebox'
import { exportsIn } from '../../db/folder.ts'

type Component = TSchema & { $id: string }

const isComponent = (value: unknown): value is Component =>
  typeof value === 'object' && value !== null && '$id' in value

/** Every schema with an `$id` that a file of this folder exports: what routes can refer to. */
export const components = (await exportsIn(import.meta.dirname, import.meta.filename))
  .filter(isComponent)
  .sort((a, b) => (a.$id < b.$id ? -1 : 1))
