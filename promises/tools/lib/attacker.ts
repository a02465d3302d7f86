// A machine of an attacker: a network namespace with one link to this one.
import { run } from './command.ts'

export interface Attacker {
  /** Its only addresses from now on. */
  use(ipv4: string, ipv6: string): Promise<void>
  run(program: string, args: readonly string[], patienceMs?: number): ReturnType<typeof run>
  /** Removes the namespace and its link. */
  close(): Promise<void>
}

export const ATTACKER_LINK = 'attacker0'

/** Needs root. The other end of the link gets these addresses, such as `10.77.9.2/24`; its MAC is `mac`. */
export async function openAttacker(own: readonly string[], mac: string): Promise<Attacker> {
  const name = `rookery-attacker-${process.pid}`
  const inside = ['ip', 'netns', 'exec', name]
  const within = (program: string, args: readonly string[], patienceMs?: number) =>
    run('ip', [...inside.slice(1), program, ...args], patienceMs === undefined ? {} : { patienceMs })
  await ip('netns', 'add', name)
  await ip(
    'link',
    'add',
    'bird0',
    'address',
    mac,
    'type',
    'veth',
    'peer',
    'name',
    ATTACKER_LINK,
    'netns',
    name,
  )
  for (const address of own) await ip('address', 'add', address, 'dev', 'bird0', ...noDad(address))
  await ip('link', 'set', 'bird0', 'up')
  await checked(within('ip', ['link', 'set', ATTACKER_LINK, 'up']))
  await checked(within('ip', ['link', 'set', 'lo', 'up']))
  return {
    async use(...addresses) {
      await checked(within('ip', ['address', 'flush', 'dev', ATTACKER_LINK]))
      for (const address of addresses)
        await checked(within('ip', ['address', 'add', address, 'dev', ATTACKER_LINK, ...noDad(address)]))
    },
    run: within,
    close: () => ip('netns', 'delete', name),
  }
}

/** Without the pause in which a new IPv6 address looks for a second owner. */
const noDad = (address: string): string[] => (address.includes(':') ? ['nodad'] : [])

const ip = (...args: readonly string[]): Promise<void> => checked(run('ip', args))

async function checked(running: ReturnType<typeof run>): Promise<void> {
  const { code, stderr } = await running
  if (code !== 0) throw new Error(`ip ended with ${code}: ${stderr}`)
}
