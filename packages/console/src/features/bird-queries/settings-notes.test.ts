import { expect, it } from 'vitest'
import { registeredBird } from '../../../test/birds.ts'
import { openTestConsole } from '../../../test/test-console.ts'

it('an empty setting says what intruders see instead, in the schema and with the Bird', async () => {
  const rookery = await openTestConsole()
  const node_id = await registeredBird(rookery)
  const notes = async () =>
    (await rookery.api.birdQueries.info({ node_id, settings: true })).device.settings_notes ?? {}
  const drawn = 'Intruders see the files of a small office that are drawn for the Bird.'
  expect((await notes())['smb.filetree']).toBe(drawn)
  const { schema } = await rookery.api.configuration.schema({})
  expect(schema['smb.filetree']?.description).toContain(`When empty: ${drawn}`)
  const settings = { 'smb.filetree': [{ name: 'a.txt', type: 'file' }] }
  await rookery.api.configuration.configure({ node_id, merge: true, settings })
  expect(await notes()).not.toHaveProperty(['smb.filetree'])
  expect((await rookery.api.birdQueries.info({ node_id })).device).not.toHaveProperty('settings_notes')
})
