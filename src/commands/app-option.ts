import type { Database } from '../../db/client.ts'
import type { LoadedApp } from '../base/load.ts'
import { loadOwnApp, ownAppFolder } from '../config/config.ts'
import { setApp } from '../config/shell.ts'

/** Sets APP, which whatever reads it then finds. */
export const appOption = [
  '--app <folder>',
  'folder of the app that is built on the portal; by default APP',
  { parse: setApp }
] as const

/** Loads the app of the option or of APP. @throws AppError */
export const loadGivenApp = () => loadOwnApp(ownAppFolder())

/** The database with the migrations of the app as well. @throws AppError */
export const withMigrationsOf = async (ownApp: LoadedApp | undefined, database: Database) =>
  ownApp?.migrations === undefined
    ? database
    : (await import('../base/migrations.ts')).withMigrations(database, ownApp.migrations)
