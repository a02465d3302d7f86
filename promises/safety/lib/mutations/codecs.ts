// Whatever reads what strangers send: each way into each decoy, and the token channel of DNS.
import type { MutationTarget, MutationTargets } from '../../../../packages/decoys/test/mutations/target.ts'
import { everyTarget } from '../../../../packages/decoys/test/mutations/targets.ts'
import { queries } from './queries.ts'

export const everyCodec = async (): Promise<MutationTargets> => ({ ...(await everyTarget()), ...queries })

export async function codecNamed(name: string): Promise<MutationTarget> {
  const codec = (await everyCodec())[name]
  if (!codec) throw new Error(`No codec is named ${name}.`)
  return codec
}
