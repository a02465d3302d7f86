// Every way into every service that listens or reads packets: none is named here but by its folder.
import { existsSync, readdirSync } from 'node:fs'
import type { MutationTargets } from './target.ts'

/** All of them by the names of their rows; throws the name of a service without any. */
export async function everyTarget(): Promise<MutationTargets> {
  const folders = readdirSync(new URL('../../src/services/', import.meta.url))
  const found = await Promise.all(folders.map(targetsOf))
  return Object.assign({}, ...found) as MutationTargets
}

async function targetsOf(folder: string): Promise<MutationTargets> {
  const file = new URL(`../../lab/${folder}/mutations.ts`, import.meta.url)
  if (!existsSync(file)) throw new Error(`${folder} has no lab/${folder}/mutations.ts.`)
  return ((await import(file.href)) as { readonly mutations: MutationTargets }).mutations
}
