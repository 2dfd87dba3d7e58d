/** The bundles create elements with these names: see `src/http/pages/bundles.ts`. */
export { Fragment as jsxFragment, h as jsxElement } from 'preact'
