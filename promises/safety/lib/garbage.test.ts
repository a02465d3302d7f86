// Bytes alone are refused too soon to be a test: what is sent to a decoy begins as its own protocol does.
import { expect, test } from 'vitest'
import { descriptors } from '@rookery/decoys/descriptors.gen.ts'
import { BEGINNINGS } from './garbage.ts'

test('each decoy that opens a port has beginnings of its own, to be spoiled', () => {
  const opening = descriptors.filter(({ transport }) => transport !== undefined)
  expect(opening.map(({ service }) => service).filter((service) => !BEGINNINGS[service]?.length)).toEqual([])
})
