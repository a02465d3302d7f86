import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import type { TokenSettingDescriptor } from '@rookery/tokens/descriptor.ts'
import { Compile } from 'typebox/compile'
import { openapi } from '../openapi.ts'
import { group, Nothing, post } from '../operation.ts'
import { foldSettings } from './kind-settings.ts'

const kinds: { kind: string; settings: Record<string, TokenSettingDescriptor> }[] = [
  {
    kind: 'one',
    settings: {
      target: { type: 'url', description: 'Where visitors go', required: true },
      page: { type: 'boolean', description: 'Show a page', default: true },
      document: { type: 'file', description: 'Document to use', maxBytes: 1_000, formats: ['pdf'] },
      app: { type: 'choice', description: 'Product', choices: ['gitea', 'jira'] },
    },
  },
  {
    kind: 'two',
    settings: {
      target: { type: 'url', description: 'Where visitors go' },
      page: { type: 'boolean', description: 'Show a page', default: false },
      label: { type: 'text', description: 'Label', maxLength: 5 },
      users: { type: 'list', description: 'Account names', maxItems: 9 },
      expiry: { type: 'duration', description: 'Time to live', min: '1d', max: '1y', default: '30d' },
    },
  },
]

interface Shown {
  readonly description: string
  readonly default?: unknown
}
const folded = foldSettings(kinds, { withDefaults: true })
const shown = (settings: object, name: string): Shown => (settings as Record<string, Shown>)[name] as Shown

it('a setting that is sealed is a secret to the audit trail', () => {
  const key: TokenSettingDescriptor = { type: 'text', description: 'Key', sealed: true }
  const settings = foldSettings([{ kind: 'three', settings: { key } }], { withDefaults: true })
  expect(settings['key']).toMatchObject({ secret: 'whole' })
})

describe('the settings of all kinds', () => {
  it('say what they are, which kinds need them, and their rules', () => {
    expect(Object.keys(folded).map((name) => shown(folded, name).description)).toEqual([
      'Where visitors go; required for one; for two; absolute, http or https',
      'Show a page; for one, two',
      'Document to use; for one; pdf of at most 1000 bytes',
      'Product; for one; one of gitea, jira',
      'Label; for two; at most 5 characters',
      'Account names; for two; at most 9, separated by commas',
      'Time to live; for two; from 1d to 1y, with the units y, mo, w, d, h',
    ])
  })

  it('carry a default that all kinds share, where a token is made and not where it is changed', () => {
    expect(shown(folded, 'expiry').default).toBe('30d')
    expect(shown(folded, 'page')).not.toHaveProperty('default')
    const changeable = foldSettings(kinds, { withDefaults: false })
    expect(shown(changeable, 'expiry')).not.toHaveProperty('default')
  })

  it('are all optional: only the kind knows which it needs', () => {
    const params = Compile(Type.Object(folded))
    expect(params.Check({})).toBe(true)
    expect(params.Check({ target: 'https://a.example/', app: 'jira', users: 'ann,bob' })).toBe(true)
    for (const wrong of [{ app: 'other' }, { page: 'yes' }, { label: 'longer' }])
      expect(params.Check(wrong)).toBe(false)
  })

  it('let a file be sent as multipart/form-data', () => {
    const create = post('/things', 'admin', 'flock', 'Create a thing', folded, Nothing)
    const document = JSON.stringify(openapi({ things: group('Things', 'Things.', { create }) }, '1'))
    expect(document).toContain('"multipart/form-data"')
    const withoutFile = post('/things', 'admin', 'flock', 'Create a thing', { label: Type.String() }, Nothing)
    expect(
      JSON.stringify(openapi({ things: group('Things', 'Things.', { create: withoutFile }) }, '1')),
    ).not.toContain('"multipart/form-data"')
  })

  it('are refused when two kinds give one name different types', () => {
    const third = { kind: 'three', settings: { label: { type: 'domain', description: 'Site' } } } as const
    expect(() => foldSettings([...kinds, third], { withDefaults: true })).toThrow(
      'The setting label has several types: two (text), three (domain).',
    )
  })
})
