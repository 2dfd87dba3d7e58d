import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { BuildOptions, PluginBuild } from 'esbuild'

/** The scripts of the pages: `operator` is the console of `portal console`. */
const entries = {
  console: 'console/main.tsx',
  operator: 'console/operator/main.tsx',
  account: 'account/main.tsx'
}
type BundleName = keyof typeof entries

/** The script, the style sheet and the images of a page. */
export type Assets = ReadonlyMap<string, Buffer>

const here = path.join(import.meta.dirname, '../../..')
/** The checkout, also when this file is compiled to a folder of it. */
const root = /^(\.build|dist)$/.test(path.basename(here)) ? path.dirname(here) : here
const sources = path.join(root, 'src/pages')
const builtFolder = (name: BundleName) => path.join(here, 'pages', name)

const loaders = new Map<BundleName, () => Promise<Assets>>()

/**
 * A function that loads the script and the style sheet of a page: those that `npm run build` wrote,
 * else from the sources. These are bundled when the page is first needed, and again when one has
 * changed. Undefined where there is neither.
 */
export function bundleOf(name: BundleName): (() => Promise<Assets>) | undefined {
  const isBuilt = existsSync(builtFolder(name))
  if (!isBuilt && !existsSync(path.join(sources, entries[name]))) return undefined
  const load = loaders.get(name) ?? (isBuilt ? readOnce(builtFolder(name)) : bundleChanged(name))
  loaders.set(name, load)
  return load
}

function readOnce(folder: string) {
  let assets: Assets | undefined
  return async () =>
    (assets ??= new Map(
      readdirSync(folder).map((file) => [file, readFileSync(path.join(folder, file))])
    ))
}

function bundleChanged(name: BundleName) {
  let kept: { state: string; assets: Promise<Assets> } | undefined
  return () => {
    // From before the sources are read, so that a change meanwhile is noticed next time.
    const state = stateOfSources()
    if (kept?.state !== state) kept = { state, assets: bundle(name) }
    return kept.assets
  }
}

/** Changes with every source: a few dozen files, in less than a millisecond. */
const stateOfSources = () =>
  [sources, ...['client', 'common'].map((name) => path.join(root, 'src', name))]
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => {
        const { mtimeMs } = statSync(path.join(folder, file))
        return `${file} ${mtimeMs}`
      })
    )
    .join('\n')

async function bundle(name: BundleName): Promise<Assets> {
  const { build } = await import('esbuild') // a package for development
  const entry = path.join(sources, entries[name])
  const common = {
    absWorkingDir: root,
    outdir: root,
    entryPoints: { [name]: entry },
    entryNames: '[name]-[hash]',
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent', // the error that is thrown has the messages
    // Calls without a property for children are smaller than those of `react-jsx`.
    tsconfigRaw: {
      compilerOptions: {
        jsx: 'react',
        jsxFactory: 'jsxElement',
        jsxFragmentFactory: 'jsxFragment'
      }
    },
    inject: [path.join(sources, 'shared/jsx.ts')],
    charset: 'utf8' // as it is served; escaped, quotation marks take six bytes
  } satisfies BuildOptions
  const [scripts, styles] = await Promise.all([
    build({
      ...common,
      splitting: true,
      chunkNames: 'later-[name]-[hash]',
      plugins: [{ name: 'later', setup: (plugin) => importEntry(plugin, entry) }]
    }),
    // One style sheet for all parts: another order of the same rules could look different.
    build(common)
  ])
  const { minify } = await import('oxc-minify') // for development, too
  // The entry only imports the file that it shares with the later ones, which gets its name here.
  const renamed = (text: string) => text.replaceAll('later-chunk-', `${name}-`)
  const files = [
    ...scripts.outputFiles.filter((file) => /\/later-[^/]+\.js$/.test(file.path)),
    ...styles.outputFiles.filter((file) => !file.path.endsWith('.js'))
  ].map(async (file) => {
    const name = renamed(path.basename(file.path))
    if (!name.endsWith('.js')) return [name, Buffer.from(file.contents)] as const
    // 3 % smaller when compressed, in some 50 ms.
    const { code, errors } = await minify(name, renamed(file.text), { module: true })
    if (errors[0]) throw new Error(errors[0].message)
    return [name, Buffer.from(code)] as const
  })
  return new Map(await Promise.all(files))
}

/**
 * Lets parts that are loaded later import the entry, so that one file has all that they share with
 * it: esbuild would write one for each combination of parts, which compress worse.
 */
function importEntry({ onResolve, onLoad }: PluginBuild, entry: string) {
  onResolve({ filter: /^\./ }, ({ kind, resolveDir, path: file }) =>
    kind === 'dynamic-import'
      ? { path: path.join(resolveDir, file), namespace: 'later' }
      : undefined
  )
  onLoad({ filter: /./, namespace: 'later' }, ({ path: file }) => ({
    contents: `import ${JSON.stringify(entry)}\nexport * from ${JSON.stringify(file)}`,
    resolveDir: root
  }))
}

/** For `npm run build`: writes the files that `bundleOf` then reads. */
export async function writeBundle(name: BundleName, folder: string = builtFolder(name)) {
  await mkdir(folder, { recursive: true })
  for (const [file, content] of await bundle(name)) {
    await writeFile(path.join(folder, file), content)
  }
}
