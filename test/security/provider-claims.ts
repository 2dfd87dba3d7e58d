import { strangerIsOut } from './provider-rules.ts'
import { signInWithPassword, signInWithProvider, steps } from './provider-steps.ts'
import { findAccount, kinds } from './provider-world.ts'
import type { World } from './provider-world.ts'

// What must be true in the end.

/** Everything that the stranger has is tried. */
export async function nothingOfStrangerWorks(world: World) {
  await strangerIsOut(world)
  const { stranger } = world
  const account = await findAccount(world)
  if (!world.proved || !account) return
  for (const password of stranger.passwords) {
    if (await signInWithPassword(world, stranger, password)) {
      throw new Error('the password of the stranger works')
    }
  }
  for (const kind of kinds) {
    const session = await signInWithProvider(world, stranger, kind)
    if (session?.user?.id === account.id) throw new Error(`${kind} lets the stranger in`)
  }
}

/** The owner gets into the account by recovering it, or else by registering. */
export async function ownerGetsIn(world: World) {
  const { owner } = world
  if (!(await steps.recover?.(world, owner))) {
    await steps.register?.(world, owner)
    await steps.confirm?.(world, owner)
    if (!world.proved) await steps.recover?.(world, owner)
  }
  const session = await signInWithPassword(world, owner, owner.passwords.at(-1) ?? '')
  if (!session?.session || !world.proved) throw new Error('the owner is locked out')
}
