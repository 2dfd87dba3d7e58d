import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A Debian program, which is installed if it is missing, from this package. Requires root. */
export async function debianProgram(name: string, from = name) {
  const find = () =>
    run('sh', ['-c', `command -v ${name} || ls /usr/sbin/${name}`]).then(
      ({ stdout }) => stdout.trim().split('\n')[0] ?? ''
    )
  const there = await find().catch(() => undefined)
  if (there) return there
  await debianPackages(from)
  return find()
}

/** Installs the Debian packages among these that are missing. Requires root. */
export async function debianPackages(...names: string[]) {
  // dpkg-query also finds packages that were removed, or that another package only recommends.
  const status = ['--show', '--showformat', `\${db:Status-Status}\n`]
  const { stdout } = await run('dpkg-query', [...status, ...names]).catch(() => ({ stdout: '' }))
  if (/^(?:installed\n)+$/.test(stdout)) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update'], { env })
  await run('apt-get', ['install', '--yes', '--no-install-recommends', ...names], { env })
}

/**
 * Debian packages that would start services when they are installed. What is missing of them and
 * their dependencies is unpacked into this folder instead, which needs no root. Returns where the
 * files of a package are, and the environment for its programs.
 */
export async function unpackedPackages(folder: string, names: string[]) {
  const missing = async () => {
    const options = ['--simulate', '--no-upgrade', '--no-install-recommends']
    const { stdout } = await run('apt-get', ['install', ...options, ...names])
    return [...stdout.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name)
  }
  mkdirSync(folder, { recursive: true })
  try {
    const packages = await missing().catch(async (error: unknown) => {
      if (process.getuid?.() !== 0) throw error
      await run('apt-get', ['update'])
      return missing()
    })
    if (packages.length > 0) await run('apt-get', ['download', ...packages], { cwd: folder })
  } catch (error) {
    const reason = (error as { stderr?: string }).stderr?.trim() ?? String(error)
    throw new Error(
      `The Debian packages ${names.join(', ')} and what they need cannot be downloaded ` +
        `(root may have to run apt-get update):\n${reason}`
    )
  }
  for (const file of readdirSync(folder).filter((each) => each.endsWith('.deb'))) {
    await run('dpkg-deb', ['--extract', path.join(folder, file), folder])
  }
  return {
    /** @param paths of one file in different versions, the best one first */
    find(...paths: string[]) {
      const found = paths
        .flatMap((each) => [path.join(folder, each), each])
        .find((each) => existsSync(each))
      if (found === undefined) throw new Error(`${names.join(', ')} do not contain ${paths[0]}`)
      return found
    },
    env: {
      PATH: process.env.PATH,
      PYTHONPATH: path.join(folder, 'usr/lib/python3/dist-packages'),
      LD_LIBRARY_PATH: readdirSync('/usr/lib')
        .filter((name) => name.includes('-linux-gnu'))
        .map((name) => path.join(folder, 'usr/lib', name))
        .join(':')
    }
  }
}
