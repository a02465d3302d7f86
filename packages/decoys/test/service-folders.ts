// Each folder of `src/services/` with the service that its descriptor names.
import { readdirSync } from 'node:fs'
import type { ServiceDescriptor } from '../src/settings/descriptor.ts'

const SERVICES = new URL('../src/services/', import.meta.url)

export const serviceFolders = await Promise.all(
  readdirSync(SERVICES).map(async (folder) => {
    const { descriptor } = (await import(new URL(`${folder}/descriptor.ts`, SERVICES).href)) as {
      readonly descriptor: ServiceDescriptor
    }
    return { folder, service: descriptor.service }
  }),
)
