import { expect, it } from 'vitest'
import { descriptor } from './descriptor.ts'
import kind from './token.ts'

const url = 'http://t.example/img/abc/pixel.gif'
const planted = () => kind.renders({ tokenId: 'abc', url, hostname: 'abc.t.example' }, {})

it('has the logtype and the summary of its alerts', () => {
  expect(descriptor.logtype, 'descriptor.ts: logtype, a number of the specification').toMatch(/^\d+$/)
  expect(descriptor.summary, 'descriptor.ts: summary, one line of an alert').not.toBe('')
})

it('says what people need to know of it', () => {
  const { shelf, firedBy, silencedBy, placement, meaning, next } = descriptor
  const texts = { shelf, firedBy, silencedBy, placement: placement.join(), meaning, next: next.join() }
  const missing = Object.entries(texts).flatMap(([name, text]) => (text === '' ? [name] : []))
  expect(missing, 'descriptor.ts: sentences for people').toEqual([])
})

it('plants something that leads back to the token', () => {
  const texts = Object.values(planted())
  expect(
    texts.filter((text) => text.includes('abc')),
    'token.ts, renders: the texts to plant, by name',
  ).not.toEqual([])
})

it('says what fires it, what does not, and what the intruder sees', () => {
  expect.unreachable(
    'token.ts: in `on`, for each channel, judge says fire, quiet or nothing (without it every visit fires), answer what is seen; claim each of them here',
  )
})

it('is described for people', () => {
  expect.unreachable('README.md: what it pretends to be, what fires it, which keys its events have')
})
