/** What the elements of all pages become in their bundles: see `src/http/pages/bundle.ts`. */
export { Fragment as jsxFragment, h as jsxElement } from 'preact'
