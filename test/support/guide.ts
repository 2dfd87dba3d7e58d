import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Test } from 'tap'
import { temporaryFolder } from './app.ts'
import { root } from './root.ts'

// Performs what a guide for contributors says in a copy of the repository.

export function copyOfRepository(t: Pick<Test, 'teardown'>) {
  const folder = temporaryFolder(t)
  const left = /(^|\/)(node_modules|\.git|\.build|\.data|dist)$/
  cpSync(root, folder, { recursive: true, filter: (file) => !left.test(file) })
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  const git = (...args: string[]) =>
    spawnSync('git', args, { cwd: folder, encoding: 'utf8' }).stdout.split('\n').filter(Boolean)
  git('init', '-q')
  git('add', '.')

  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8')
  const write = (file: string, text: string) => {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true })
    writeFileSync(path.join(folder, file), text)
  }
  /** Adds a block where a file first has this. */
  const insert = (
    file: string,
    name: string,
    { where, block }: { where: RegExp; block: string }
  ) => {
    const found = where.exec(read(file))
    if (!found) throw new Error(`${file} has no ${name}`)
    const at = found.index + found[0].length
    write(file, `${read(file).slice(0, at)}\n${block}${read(file).slice(at).replace(/^\n/, '')}`)
  }

  const replace = (file: string, old: string, block: string) => {
    if (!read(file).includes(old)) throw new Error(`${file} has no ${old}`)
    write(
      file,
      read(file).replace(old, () => block)
    )
  }

  return {
    folder,
    read,
    /** Files that differ from the repository. */
    changed: () =>
      git('status', '--porcelain', '-uall')
        .filter((line) => line[1] !== ' ')
        .map((line) => line.slice(3))
        .sort(),
    /** Runs a script of package.json. */
    run: (...args: string[]) => runIn(folder, args),
    /** Two processes, because other slow tests run beside. */
    runTests: (...files: string[]) => runIn(folder, ['test:file', '--', '--jobs=2', ...files]),
    /**
     * Applies the blocks of a guide: a new file by its name, an addition at the beginning of a
     * list, an object or a section, after a statement or a row of a table, in place of some code, or
     * at the end of a file. Throws if a block does not say where it goes.
     */
    perform(guide: string) {
      let applied = 0
      for (const [, rawPlace = '', block = ''] of guide.matchAll(
        /(?<=\n\n)((?:In |At the end of )?`[^:]+):\n\n```(?:ts|md|ini)\n([^]*?)^```$/gm
      )) {
        const place = rawPlace.replaceAll('\n', ' ')
        const [, added] = /^`(\S+)`$/.exec(place) ?? []
        const [, ended] = /^At the end of `(\S+)`$/.exec(place) ?? []
        const [, file = '', how, name = ''] = /^In `(\S+)`, (in|after) `(\w+)`/.exec(place) ?? []
        const [, changed = '', old] = /^In `(\S+)`, instead of `([^`]+)`$/.exec(place) ?? []
        const list =
          `\\b${name}(?:: [^=\\n]+)? = (?:(?:new )?[\\w.]+\\()?[[{]|\\b${name}: \\[|^#+ ${name}\\n|` +
          `\\b${name} = \\([^)]*\\): \\w+ => \\(\\{|function ${name}\\b[^]*?\\n  return \\{`
        const row = `^\\|.*\`${name}\`.*`
        const where = new RegExp(how === 'in' ? list : `^ *const ${name}\\b.*|${row}`, 'm')
        if (added) write(added, block)
        else if (ended) write(ended, `${read(ended)}\n${block}`)
        else if (old !== undefined) replace(changed, old, block.trimEnd())
        else insert(file, name, { where, block })
        applied++
      }
      const blocks = guide.match(/^```(?:ts|md|ini)$/gm)?.length
      if (applied !== blocks) throw new Error(`${applied} of ${blocks} blocks say where they go`)
    }
  }
}

function runIn(folder: string, args: string[]) {
  const env = { ...process.env }
  // The run of the tests in the copy starts a server of its own, with the new table.
  for (const name of Object.keys(env)) {
    if (/^(TEST_|PORTAL_TEST|TAP)/.test(name)) delete env[name]
  }
  const { status, stdout, stderr } = spawnSync('npm', ['run', '-s', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env
  })
  const output = stdout + stderr
  // Only failures: a report that is cut would hide them among the tests that passed.
  const failed = output.split('\n').filter((line) => /^\s*(FAILED|not ok|error:)/.test(line))
  return { status, output, failed }
}
