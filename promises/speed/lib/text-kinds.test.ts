import { descriptors } from '@rookery/tokens/descriptors.gen.ts'
import { expect, it } from 'vitest'
import { textOrders } from './text-kinds.ts'

it('every kind is a text kind but those that are made of an upload', () => {
  const kinds = [...textOrders().keys()]
  expect(descriptors.map(({ kind }) => kind).filter((kind) => !kinds.includes(kind))).toEqual([
    'signed-exe',
    'web-image',
  ])
  expect(textOrders().get('fast-redirect')).toMatchObject({
    kind: 'fast-redirect',
    browser_redirect_url: 'https://www.example.com/',
  })
})
