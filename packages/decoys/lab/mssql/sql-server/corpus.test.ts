// Each probe is answered as the documents say, and byte for byte as it was when the tools were content.
import { expect, test } from 'vitest'
import { readAnswers } from '../../../test/probe.ts'
import { probes } from './corpus.ts'
import { describeAnswer } from '../describe.ts'
import { fixedReplay } from './fixed-replay.ts'

test('over 300 probes are answered as [MS-TDS] says', () => {
  expect(probes.length).toBeGreaterThan(300)
  expect(new Set(probes.map(({ name }) => name)).size).toBe(probes.length)
  for (const probe of probes) expect(describeAnswer(fixedReplay(probe)), probe.name).toBe(probe.expects)
})

test('each recorded answer is given again', () => {
  const answers = readAnswers(new URL('./', import.meta.url))
  expect(Object.keys(answers)).toEqual(probes.map(({ name }) => name))
  for (const probe of probes) expect(fixedReplay(probe), probe.name).toEqual(answers[probe.name])
})
