import type { Database } from '../../db/client.ts'
import type { LoadedApp } from '../base/load.ts'

export const appOption = [
  '--app <folder>',
  'the folder of the app that is built on the portal'
] as const

/** Loads the app of the option. @throws AppError */
export const loadGivenApp = async (folder: string | undefined): Promise<LoadedApp | undefined> =>
  folder === undefined ? undefined : (await import('../base/load.ts')).loadApp(folder)

/** The database with the migrations of the app as well. @throws AppError */
export const withMigrationsOf = async (ownApp: LoadedApp | undefined, database: Database) =>
  ownApp?.migrations === undefined
    ? database
    : (await import('../base/migrations.ts')).withMigrations(database, ownApp.migrations)

export const isAppError = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'AppError'
