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
