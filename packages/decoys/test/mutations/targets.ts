// Every way into every service that listens or reads packets: none is named here but by its folder.
import { existsSync } from 'node:fs'
import { services } from '../../src/services.gen.ts'
import type { MutationTargets } from './target.ts'

/** All of them by the names of their rows; throws the name of a service without any. */
export async function everyTarget(): Promise<MutationTargets> {
  const found = await Promise.all(Object.keys(services).map(targetsOf))
  return Object.assign({}, ...found) as MutationTargets
}

async function targetsOf(service: string): Promise<MutationTargets> {
  const file = new URL(`../../src/services/${service}/testing/mutations.ts`, import.meta.url)
  if (!existsSync(file)) throw new Error(`The service ${service} has no testing/mutations.ts.`)
  return ((await import(file.href)) as { readonly mutations: MutationTargets }).mutations
}
