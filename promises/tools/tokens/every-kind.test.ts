// The proof of tokens leaves out no kind.
import { expect, it, onTestFinished } from 'vitest'
import { descriptors } from '@rookery/tokens/descriptors.gen.ts'
import { openClouds } from '../lib/clouds.ts'
import { allFirings } from '../tokens.ts'
import { openProviderAccounts } from './providers.ts'

it('each kind of token is fired by a row of the proof, under its logtype', async () => {
  const [providers, clouds] = await Promise.all([openProviderAccounts(), openClouds()])
  onTestFinished(() => Promise.all([providers.close(), clouds.close()]).then(() => undefined))
  const fired = new Map(allFirings(providers, clouds).map(({ kind, logtype }) => [kind, logtype]))
  expect(Object.fromEntries(fired)).toEqual(
    Object.fromEntries(descriptors.map(({ kind, logtype }) => [kind, logtype])),
  )
})
