import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Fault } from '@rookery/kernel/fault.ts'
import { ASSETS, readInventory } from './asset.ts'
import { buildAssetIndex } from './asset-index.ts'

it('reads texts and lists alike, and leaves out what it does not know', () => {
  const export_ = [
    { addresses: ['10.0.0.9', ' 2001:DB8:0::9 '], names: 'till-3', hw: 'NUC', os: ['Linux', '6.1'], cost: 3 },
    { addresses: '10.0.0.10', names: null, os: { name: 'x' } },
    {},
  ]
  expect(readInventory(JSON.stringify(export_))).toEqual([
    { addresses: ['10.0.0.9', '2001:db8::9'], names: ['till-3'], hw: ['NUC'], os: 'Linux, 6.1' },
    { addresses: ['10.0.0.10'], names: [], hw: [], os: '' },
    { addresses: [], names: [], hw: [], os: '' },
  ])
})

it('says what is wrong with an export that is none', () => {
  const refused = (text: string): string => {
    try {
      readInventory(text)
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(refused('<html>')).toMatch('it is not JSON')
  expect(refused('{}')).toMatch('it is not a JSON array')
  expect(refused('[{},7]')).toMatch('its element 1 is not an object')
  expect(refused(`[${'{},'.repeat(ASSETS.max)}{}]`)).toMatch('more than')
})

it('never throws anything but a fault, and bounds what it keeps, whatever the export', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.string(),
        fc.jsonValue().map((it) => JSON.stringify([it])),
      ),
      (text) => {
        try {
          for (const { addresses, names, hw, os } of readInventory(text)) {
            expect(Math.max(addresses.length, names.length, hw.length)).toBeLessThanOrEqual(64)
            expect(os.length).toBeLessThanOrEqual(255)
          }
        } catch (error) {
          expect(error).toBeInstanceOf(Fault)
        }
      },
    ),
  )
})

it('finds a machine by any spelling of its addresses, a Bird by its hardware first', () => {
  const book = buildAssetIndex(
    readInventory(
      JSON.stringify([
        { addresses: ['10.0.0.5', '2001:db8:0:0::5'], names: ['a'] },
        { addresses: ['10.0.0.6'], names: ['b'], hw: ['02-00-00-00-00-0A'] },
        { addresses: ['10.0.0.5'], names: ['later'] },
      ]),
    ),
    1,
  )
  expect(book.at('10.0.0.5')?.names).toEqual(['a'])
  expect(book.at('2001:DB8::5')?.names).toEqual(['a'])
  expect(book.at('::ffff:10.0.0.5')?.names).toEqual(['a'])
  expect(book.at('')).toBeUndefined()
  const bird = { ip_address: '10.0.0.5', mac_address: '02:00:00:00:00:0a' }
  expect(book.ofBird(bird)?.names).toEqual(['b'])
  expect(book.ofBird({ ...bird, mac_address: '' })?.names).toEqual(['a'])
  expect(book.ofBird({ ip_address: '', mac_address: '' })).toBeUndefined()
})
